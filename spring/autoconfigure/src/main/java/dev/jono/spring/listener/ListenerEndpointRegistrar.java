package dev.jono.spring.listener;

import dev.jono.spring.JonoListenerErrorHandler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.handler.annotation.support.MessageHandlerMethodFactory;
import org.springframework.validation.Validator;

/** Collects endpoints, and what the methods of listeners need. Not thread-safe; used while the application starts. */
public final class ListenerEndpointRegistrar {
    private final List<ListenerEndpoint<?>> endpoints = new ArrayList<>();
    private @Nullable Validator validator;
    private @Nullable MessageHandlerMethodFactory methods;
    private @Nullable JonoListenerErrorHandler errorHandler;

    /** Adds an endpoint. */
    public void register(ListenerEndpoint<?> endpoint) {
        endpoints.add(endpoint);
    }

    /** Sets the validator of payloads that are {@code @Valid}; by default the one of the application. */
    public void setValidator(Validator value) {
        this.validator = value;
    }

    /** Sets the factory that invokes methods. By default, Spring's, with the validator. */
    public void setMethodFactory(MessageHandlerMethodFactory value) {
        this.methods = value;
    }

    /** Sets the error handler of listeners that name none. */
    public void setErrorHandler(JonoListenerErrorHandler value) {
        this.errorHandler = value;
    }

    List<ListenerEndpoint<?>> endpoints() {
        return endpoints;
    }

    @Nullable Validator validator() {
        return validator;
    }

    @Nullable MessageHandlerMethodFactory methods() {
        return methods;
    }

    @Nullable JonoListenerErrorHandler errorHandler() {
        return errorHandler;
    }
}
