package dev.jono;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

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

    /** The described type. */
    public final Type type() {
        return type;
    }

    @Override
    public String toString() {
        return type.getTypeName();
    }
}
