package dev.jono.spring.autoconfigure;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.spring.JonoQueue;
import dev.jono.spring.method.DeclarationException;
import dev.jono.spring.method.TypedQueues;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;

/** The queue for an injection point. Its annotation names the queue, and its type argument the type of the payloads. */
final class InjectedQueue {
    private InjectedQueue() {}

    static MessageQueue<?> at(InjectionPoint point, QueueFactory jono, BeanFactory beans) {
        ResolvableType payload = declaredType(point).as(MessageQueue.class).getGeneric(0);
        if (payload == ResolvableType.NONE || payload.resolve() == null) {
            throw mistake(
                    point,
                    "the type of the payloads is missing",
                    "Declare the queue with a type argument, such as MessageQueue<Order>.",
                    null);
        }
        String name = name(point, beans);
        try {
            return TypedQueues.open(jono, name, payload.getType(), QueueOptions.none());
        } catch (IllegalArgumentException refused) {
            throw mistake(
                    point,
                    "@JonoQueue is '" + name + "': " + refused.getMessage(),
                    "Correct the name of the queue, or the property that it refers to.",
                    refused);
        }
    }

    private static DeclarationException mistake(
            InjectionPoint point, String problem, String action, @Nullable RuntimeException cause) {
        return new DeclarationException(point.getMember(), problem, action, cause);
    }

    private static ResolvableType declaredType(InjectionPoint point) {
        if (point instanceof DependencyDescriptor descriptor) {
            return descriptor.getResolvableType();
        }
        return point.getField() != null
                ? ResolvableType.forField(point.getField())
                : ResolvableType.forMethodParameter(Objects.requireNonNull(point.getMethodParameter()));
    }

    private static String name(InjectionPoint point, BeanFactory beans) {
        String name = MergedAnnotations.from(point.getAnnotations())
                .get(JonoQueue.class)
                .getValue("value", String.class)
                .orElseThrow(() -> mistake(
                        point,
                        "@JonoQueue is missing",
                        "Add it with the name of the queue, as @JonoQueue(\"orders\").",
                        null));
        try {
            return resolved(name, beans);
        } catch (IllegalArgumentException refused) {
            throw mistake(
                    point,
                    "@JonoQueue is '" + name + "', which cannot be resolved: " + refused.getMessage(),
                    "Define the property, or give a default, as in ${shop.queue:orders}.",
                    refused);
        }
    }

    private static String resolved(String name, BeanFactory beans) {
        @Nullable String found =
                beans instanceof ConfigurableBeanFactory configurable ? configurable.resolveEmbeddedValue(name) : name;
        return Objects.requireNonNull(found, "the name of the queue");
    }
}
