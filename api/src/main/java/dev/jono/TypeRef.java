package dev.jono;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Objects;

/**
 * Describes a generic type at run time: {@code new TypeRef<List<Order>>() {}}.
 *
 * @param <T> the described type
 */
public abstract class TypeRef<T> {
    private final Type type;

    /**
     * Reads the type argument of the anonymous subclass.
     *
     * @throws IllegalArgumentException if the subclass has no type argument
     */
    public TypeRef() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized)) {
            throw new IllegalArgumentException("a TypeRef needs a type argument: new TypeRef<List<String>>() {}");
        }
        this.type = parameterized.getActualTypeArguments()[0];
    }

    private TypeRef(Type type) {
        this.type = Objects.requireNonNull(type, "type");
    }

    /**
     * Describes a type that is known at run time only, for example that of a parameter of a method. For frameworks.
     *
     * @param type a class, or a parameterized type
     */
    public static TypeRef<?> of(Type type) {
        return new Known(type);
    }

    private static final class Known extends TypeRef<Object> {
        Known(Type type) {
            super(type);
        }
    }

    /** The described type. */
    public final Type type() {
        return type;
    }

    @Override
    public String toString() {
        return type.getTypeName();
    }
}
