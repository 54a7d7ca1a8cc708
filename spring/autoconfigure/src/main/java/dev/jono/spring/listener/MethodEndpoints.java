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
        Signature signature = Signature.of(method, read.text("batch", annotation.batch()));
        requireValidator(method, signature);
        String id = read.text("id", annotation.id());
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
                read.beanName("containerFactory", annotation.containerFactory(), ListenerContainerFactory.class));
    }

    /** A method factory of the application has its own validator. The payloads of batches are checked here. */
    private void requireValidator(AnnotatedMethod method, Signature signature) {
        if (signature.batch() || registrar.methods() == null) {
            MethodFactory.requireValidator(method, signature, validator);
        }
    }

    private static List<String> queues(AttributeReader read, AnnotatedMethod method) {
        List<String> queues = read.texts("queue", method.get(JonoListener.class).queue());
        if (queues.isEmpty()) {
            throw method.mistake("it names no queue", "Set the attribute 'queue' of @JonoListener.");
        }
        return queues;
    }

    private static ListenerSettings settings(AttributeReader read, AnnotatedMethod method, Signature signature) {
        JonoListener annotation = method.get(JonoListener.class);
        return new ListenerSettings(
                read.integer("concurrency", annotation.concurrency(), 1),
                signature.batchSize(method, read, annotation.batch()),
                read.integer("prefetch", annotation.prefetch(), 0),
                read.duration("lease", annotation.lease()),
                read.duration("maxRuntime", annotation.maxRuntime()),
                read.bool("autoStartup", annotation.autoStartup()));
    }

    @SuppressWarnings("unchecked") // the type of the payloads is that of the method's parameter
    private BiFunction<QueueFactory, String, MessageQueue<Object>> opener(
            AttributeReader read, AnnotatedMethod method, Signature signature) {
        JonoListener annotation = method.get(JonoListener.class);
        Integer perKey = read.integer("key", annotation.key(), 1);
        QueueOptions options = perKey == null
                ? QueueOptions.none()
                : read.checked(
                        "key",
                        perKey,
                        limit -> QueueOptions.builder().keyed(limit).build());
        String codec = read.beanName("codec", annotation.codec(), Codec.class);
        BiFunction<QueueFactory, String, MessageQueue<Object>> open;
        if (codec != null) {
            Codec<Object> bean = beans.getBean(codec, Codec.class);
            open = (jono, name) -> jono.queue(name, bean, options);
        } else {
            open = (jono, name) -> (MessageQueue<Object>) TypedQueues.open(jono, name, signature.payload(), options);
        }
        return (jono, queue) -> read.checked("queue", queue, name -> open.apply(jono, name));
    }

    private @Nullable JonoListenerErrorHandler errorHandler(AttributeReader read, JonoListener annotation) {
        String name = read.beanName("errorHandler", annotation.errorHandler(), JonoListenerErrorHandler.class);
        return name == null ? registrar.errorHandler() : beans.getBean(name, JonoListenerErrorHandler.class);
    }
}
