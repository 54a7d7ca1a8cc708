package dev.jono.spring.autoconfigure;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.spring.JonoQueue;
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
            throw new IllegalStateException("the type of the payloads is missing at " + point.getMember()
                    + ": declare the queue as MessageQueue<Order>, for example");
        }
        return TypedQueues.open(jono, name(point, beans), payload.getType(), QueueOptions.none());
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
                .orElseThrow(() -> new IllegalStateException("@JonoQueue is missing at " + point.getMember()));
        return resolved(name, beans);
    }

    private static String resolved(String name, BeanFactory beans) {
        @Nullable String found =
                beans instanceof ConfigurableBeanFactory configurable ? configurable.resolveEmbeddedValue(name) : name;
        return Objects.requireNonNull(found, "the name of the queue");
    }
}
