package dev.jono.spring.autoconfigure;

import dev.jono.MessageQueue;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/** Points at {@code @JonoQueue} where a queue is injected without it. Before Spring Boot's analyzer, which asks for a bean. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class QueueInjectionFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {
    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, NoSuchBeanDefinitionException cause, @Nullable String description) {
        ResolvableType wanted = cause.getResolvableType();
        if (cause instanceof NoUniqueBeanDefinitionException
                || wanted == null
                || wanted.toClass() != MessageQueue.class) {
            return null;
        }
        return new FailureAnalysis(
                (description != null ? description : "The application") + " requires the queue " + wanted
                        + " without saying its name.",
                "Add @JonoQueue with the name of the queue, such as @JonoQueue(\"orders\") " + example(wanted)
                        + " orders, to the parameter or the field. @Qualifier and bean names do not name queues.",
                cause);
    }

    private static String example(ResolvableType wanted) {
        Class<?> payload = wanted.getGeneric(0).resolve();
        return "MessageQueue<" + (payload == null ? "Order" : payload.getSimpleName()) + ">";
    }
}
