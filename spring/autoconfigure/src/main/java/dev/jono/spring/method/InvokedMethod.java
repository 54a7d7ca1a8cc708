package dev.jono.spring.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.messaging.handler.annotation.support.MessageHandlerMethodFactory;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;

/** Invokes a method of a bean with a payload and headers. Thread-safe. */
public final class InvokedMethod {
    private final InvocableHandlerMethod method;
    private final List<Class<?>> parameters;

    /**
     * A method that can be invoked.
     *
     * @throws DeclarationException if it returns something that cannot be waited for
     */
    public InvokedMethod(AnnotatedMethod annotated, MessageHandlerMethodFactory factory) {
        Method method = annotated.invocable();
        if (KotlinDetector.isSuspendingFunction(method) || isPublisher(method.getReturnType())) {
            throw annotated.mistake(
                    "suspending functions and reactive results are not supported",
                    "Block in the method, or return a CompletionStage.");
        }
        this.method = factory.createInvocableHandlerMethod(annotated.bean(), method);
        this.parameters = List.of(method.getParameterTypes());
    }

    private static boolean isPublisher(Class<?> type) {
        return Arrays.stream(type.getInterfaces()).anyMatch(InvokedMethod::isPublisher)
                || type.getName().equals("org.reactivestreams.Publisher");
    }

    /** Whether a parameter has exactly this type. */
    public boolean takes(Class<?> type) {
        return parameters.contains(type);
    }

    /**
     * Invokes the method, and waits for a future that it returns.
     *
     * @param provided arguments for parameters of their types; give only those for which {@link #takes} is true
     * @return the result; null for none
     * @throws Exception what the method has thrown, or {@code MethodArgumentNotValidException} if the payload is not valid
     */
    public @Nullable Object invoke(Object payload, Map<String, Object> headers, Object... provided) throws Exception {
        Object result = method.invoke(new ReceivedMessage(payload, headers), provided);
        return result instanceof CompletionStage<?> stage ? await(stage) : result;
    }

    private static @Nullable Object await(CompletionStage<?> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw failed;
        }
    }
}
