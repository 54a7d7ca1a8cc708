package dev.jono.spring.listener;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.spring.JonoListener;
import dev.jono.spring.JonoListenerErrorHandler;
import dev.jono.spring.method.AnnotatedMethod;
import dev.jono.spring.method.AttributeReader;
import dev.jono.spring.method.InvokedMethod;
import dev.jono.spring.method.MethodFactory;
import dev.jono.spring.method.Signature;
import dev.jono.spring.method.TypedQueues;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.messaging.handler.annotation.support.MessageHandlerMethodFactory;
import org.springframework.validation.Validator;

/** Makes endpoints of methods with {@link JonoListener}. */
final class MethodEndpoints {
    private final BeanFactory beans;
    private final ListenerEndpointRegistrar registrar;
    private final MessageHandlerMethodFactory factory;
    private final @Nullable Validator validator;

    MethodEndpoints(BeanFactory beans, ListenerEndpointRegistrar registrar, @Nullable Validator validator) {
        this.beans = beans;
        this.registrar = registrar;
        this.validator = validator;
        this.factory = registrar.methods() != null ? registrar.methods() : new MethodFactory(beans, validator);
    }

    ListenerEndpoint<Object> endpoint(AnnotatedMethod method) {
        JonoListener annotation = method.get(JonoListener.class);
        AttributeReader read = new AttributeReader(beans, method);
        Signature signature = Signature.of(method, List.of());
        String id = read.text(annotation.id());
        MethodListener listener = new MethodListener(
                new InvokedMethod(method, factory),
                signature,
                errorHandler(read, annotation),
                signature.validated() ? validator : null);
        return new ListenerEndpoint<>(
                id != null ? id : method.defaultName(),
                queues(read, method),
                opener(read, method, signature),
                signature.batch() ? null : listener::handle,
                signature.batch() ? listener::handleBatch : null,
                settings(read, method, signature),
                read.text(annotation.containerFactory()));
    }

    private static List<String> queues(AttributeReader read, AnnotatedMethod method) {
        List<String> queues = read.texts(method.get(JonoListener.class).queue());
        if (queues.isEmpty()) {
            throw new IllegalStateException(method + ": it names no queue");
        }
        return queues;
    }

    private static ListenerSettings settings(AttributeReader read, AnnotatedMethod method, Signature signature) {
        JonoListener annotation = method.get(JonoListener.class);
        Integer batch = read.integer("batch", annotation.batch());
        if (batch != null && !signature.batch()) {
            throw new IllegalStateException(method + ": batch is set, but the method takes no list");
        }
        return new ListenerSettings(
                read.integer("concurrency", annotation.concurrency()),
                batch,
                read.integer("prefetch", annotation.prefetch()),
                read.duration("lease", annotation.lease()),
                read.duration("maxRuntime", annotation.maxRuntime()),
                read.bool("autoStartup", annotation.autoStartup()));
    }

    @SuppressWarnings("unchecked") // the type of the payloads is that of the method's parameter
    private BiFunction<QueueFactory, String, MessageQueue<Object>> opener(
            AttributeReader read, AnnotatedMethod method, Signature signature) {
        Integer perKey = read.integer("key", method.get(JonoListener.class).key());
        QueueOptions options = perKey == null
                ? QueueOptions.none()
                : QueueOptions.builder().keyed(perKey).build();
        String codec = read.text(method.get(JonoListener.class).codec());
        if (codec != null) {
            Codec<Object> bean = beans.getBean(codec, Codec.class);
            return (jono, name) -> jono.queue(name, bean, options);
        }
        return (jono, name) -> (MessageQueue<Object>) TypedQueues.open(jono, name, signature.payload(), options);
    }

    private @Nullable JonoListenerErrorHandler errorHandler(AttributeReader read, JonoListener annotation) {
        String name = read.text(annotation.errorHandler());
        return name == null ? registrar.errorHandler() : beans.getBean(name, JonoListenerErrorHandler.class);
    }
}
