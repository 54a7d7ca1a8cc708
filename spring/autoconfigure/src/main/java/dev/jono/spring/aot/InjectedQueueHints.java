package dev.jono.spring.aot;

import dev.jono.MessageQueue;
import dev.jono.spring.JonoQueue;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The payloads of queues that are injected with {@link JonoQueue}: they become JSON by reflection. */
final class InjectedQueueHints implements BeanRegistrationAotProcessor {
    private static final BindingReflectionHintsRegistrar BINDING = new BindingReflectionHintsRegistrar();

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Set<Type> payloads = payloads(ClassUtils.getUserClass(bean.getBeanClass()));
        return payloads.isEmpty()
                ? null
                : (generation, code) -> BINDING.registerReflectionHints(
                        generation.getRuntimeHints().reflection(), payloads.toArray(Type[]::new));
    }

    private static Set<Type> payloads(Class<?> bean) {
        Set<Type> payloads = new LinkedHashSet<>();
        for (Executable constructor : bean.getDeclaredConstructors()) {
            addParameters(constructor, payloads);
        }
        ReflectionUtils.doWithMethods(bean, method -> addParameters(method, payloads));
        ReflectionUtils.doWithFields(bean, field -> add(field, ResolvableType.forField(field), payloads));
        return payloads;
    }

    private static void addParameters(Executable executable, Set<Type> payloads) {
        for (int i = 0; i < executable.getParameterCount(); i++) {
            MethodParameter parameter = MethodParameter.forExecutable(executable, i);
            add(executable.getParameters()[i], ResolvableType.forMethodParameter(parameter), payloads);
        }
    }

    private static void add(AnnotatedElement point, ResolvableType type, Set<Type> payloads) {
        if (AnnotatedElementUtils.hasAnnotation(point, JonoQueue.class)) {
            ResolvableType payload = type.as(MessageQueue.class).getGeneric(0);
            if (payload.resolve() != null) {
                payloads.add(payload.getType());
            }
        }
    }
}
