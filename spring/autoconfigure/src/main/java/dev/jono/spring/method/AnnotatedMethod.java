package dev.jono.spring.method;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * A method of a bean that has an annotation of Jono.
 *
 * @param bean the bean, perhaps a proxy
 * @param beanName its name
 * @param targetClass the class of the bean, without proxies
 * @param declared the method of that class, with its annotations
 * @param invocable the method to invoke on the bean; of an interface, if the bean is a proxy of one
 */
public record AnnotatedMethod(Object bean, String beanName, Class<?> targetClass, Method declared, Method invocable) {
    /** An annotation with its aliases resolved; null if the method does not have it. */
    public <A extends Annotation> @Nullable A find(Class<A> type) {
        return AnnotatedElementUtils.findMergedAnnotation(declared, type);
    }

    /** An annotation that the method has. */
    public <A extends Annotation> A get(Class<A> type) {
        return Objects.requireNonNull(find(type), type.getName());
    }

    /** The names of the bean and the method: the default of ids. */
    public String defaultName() {
        return beanName + "." + declared.getName();
    }

    /** The failure of a method that is declared in a way that cannot work; see {@link DeclarationException}. */
    public DeclarationException mistake(String problem, String action) {
        return mistake(problem, action, null);
    }

    /** As {@link #mistake(String, String)}, with a cause. */
    public DeclarationException mistake(String problem, String action, @Nullable Throwable cause) {
        return new DeclarationException(this, problem, action, cause);
    }

    /** The class and the method, for messages. */
    @Override
    public String toString() {
        return targetClass.getName() + "." + declared.getName();
    }
}
