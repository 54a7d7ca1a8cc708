package dev.jono;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * Names a generic type at run time: {@code new TypeRef<List<Order>>() {}}.
 *
 * @param <T> the type that is named
 */
public abstract class TypeRef<T> {
    private final Type type;

    /** For the anonymous subclass. */
    public TypeRef() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized)) {
            throw new IllegalArgumentException("a TypeRef needs a type argument: new TypeRef<List<String>>() {}");
        }
        this.type = parameterized.getActualTypeArguments()[0];
    }

    /** The type. */
    public final Type type() {
        return type;
    }

    @Override
    public String toString() {
        return type.getTypeName();
    }
}
