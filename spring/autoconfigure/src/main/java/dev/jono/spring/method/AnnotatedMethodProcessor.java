package dev.jono.spring.method;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Finds the methods with certain annotations in all beans. Those of singletons are handled together, when all singletons are made; those of
 * lazy beans when their bean is made.
 */
public abstract class AnnotatedMethodProcessor
        implements BeanPostProcessor, BeanFactoryAware, SmartInitializingSingleton {
    private final Set<Class<? extends Annotation>> types;
    private final Set<Class<?>> withoutAnnotation = ConcurrentHashMap.newKeySet();

    /** What was found before all singletons were made; null after that. */
    private @Nullable List<AnnotatedMethod> early = new ArrayList<>();

    private @Nullable ListableBeanFactory beans;

    /** A processor, for subclasses. */
    protected AnnotatedMethodProcessor(Set<Class<? extends Annotation>> types) {
        this.types = types;
    }

    /** Handles the methods of all singletons; called once, also if there are none. */
    protected abstract void handleAll(List<AnnotatedMethod> found);

    /** Handles a method of a bean that was made later. */
    protected abstract void handleLate(AnnotatedMethod found);

    /** The bean factory. */
    protected final ListableBeanFactory beans() {
        return Objects.requireNonNull(beans, "bean factory");
    }

    @Override
    public final void setBeanFactory(BeanFactory beanFactory) {
        this.beans = (ListableBeanFactory) beanFactory;
    }

    @Override
    public final Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> target = AopProxyUtils.ultimateTargetClass(bean);
        if (bean instanceof AopInfrastructureBean
                || withoutAnnotation.contains(target)
                || !AnnotationUtils.isCandidateClass(target, types)) {
            return bean;
        }
        Set<Method> methods = MethodIntrospector.selectMethods(target, this::isAnnotated);
        if (methods.isEmpty()) {
            withoutAnnotation.add(target);
        }
        methods.forEach(method -> found(new AnnotatedMethod(
                bean, beanName, target, method, AopUtils.selectInvocableMethod(method, bean.getClass()))));
        return bean;
    }

    private boolean isAnnotated(Method method) {
        return types.stream().anyMatch(type -> AnnotatedElementUtils.hasAnnotation(method, type));
    }

    private void found(AnnotatedMethod method) {
        if (early != null) {
            early.add(method);
        } else {
            handleLate(method);
        }
    }

    @Override
    public final void afterSingletonsInstantiated() {
        List<AnnotatedMethod> found = Objects.requireNonNull(early, "called once");
        early = null;
        handleAll(found);
    }
}
