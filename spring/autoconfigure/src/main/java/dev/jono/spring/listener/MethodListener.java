package dev.jono.spring.listener;

import dev.jono.Headers;
import dev.jono.Lease;
import dev.jono.Message;
import dev.jono.RejectException;
import dev.jono.Reservation;
import dev.jono.SnoozeException;
import dev.jono.spring.JonoHeaders;
import dev.jono.spring.JonoListenerErrorHandler;
import dev.jono.spring.method.InvalidPayload;
import dev.jono.spring.method.InvokedMethod;
import dev.jono.spring.method.Signature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.Validator;

/** Handles messages with a method of a bean, on threads of a worker. */
final class MethodListener {
    private final InvokedMethod method;
    private final Signature signature;
    private final @Nullable JonoListenerErrorHandler errorHandler;
    private final @Nullable Validator validator;
    private final boolean takesHeaders;
    private final boolean takesDelivery;

    /**
     * A listener.
     *
     * @param validator for the payloads of a batch; null if they are not checked
     */
    MethodListener(
            InvokedMethod method,
            Signature signature,
            @Nullable JonoListenerErrorHandler errorHandler,
            @Nullable Validator validator) {
        this.method = method;
        this.signature = signature;
        this.errorHandler = errorHandler;
        this.validator = validator;
        this.takesHeaders = method.takes(Headers.class);
        this.takesDelivery =
                method.takes(Reservation.class) || method.takes(Lease.class) || method.takes(Message.class);
    }

    void handle(Object payload, Reservation<Object> delivery) throws Exception {
        guarded(List.of(delivery), () -> method.invoke(payload, headers(delivery), provided(delivery)));
    }

    void handleBatch(List<Reservation<Object>> batch) throws Exception {
        List<Reservation<Object>> valid = valid(batch);
        if (!valid.isEmpty()) {
            List<?> argument = signature.ofMessages()
                    ? valid
                    : valid.stream().map(Message::payload).toList();
            guarded(valid, () -> method.invoke(argument, Map.of()));
        }
    }

    private interface Invocation {
        @Nullable Object run() throws Exception;
    }

    private void guarded(List<Reservation<Object>> deliveries, Invocation invocation) throws Exception {
        try {
            invocation.run();
        } catch (MethodArgumentNotValidException invalid) {
            throw new RejectException(InvalidPayload.text(invalid.getBindingResult())); // the cause has the payload
        } catch (RejectException | SnoozeException | InterruptedException decided) {
            throw decided;
        } catch (Exception failure) {
            if (errorHandler == null) {
                throw failure;
            }
            errorHandler.handle(failure, deliveries);
        }
    }

    private static Map<String, Object> headers(Reservation<Object> delivery) {
        Map<String, Object> headers = new HashMap<>(delivery.headers().asMap());
        headers.put(JonoHeaders.ID, delivery.id());
        headers.put(JonoHeaders.QUEUE, delivery.queue());
        headers.put(JonoHeaders.ATTEMPT, delivery.attempt());
        headers.put(JonoHeaders.DUE_AT, delivery.dueAt());
        return headers;
    }

    private Object[] provided(Reservation<Object> delivery) {
        if (!takesDelivery && !takesHeaders) {
            return new Object[0];
        }
        if (takesDelivery && takesHeaders) {
            return new Object[] {delivery, delivery.headers()};
        }
        return new Object[] {takesDelivery ? delivery : delivery.headers()};
    }

    /** The messages of a batch whose payloads are valid; the others are rejected, each for itself. */
    private List<Reservation<Object>> valid(List<Reservation<Object>> batch) {
        if (validator == null) {
            return batch;
        }
        List<Reservation<Object>> valid = new ArrayList<>(batch.size());
        for (Reservation<Object> delivery : batch) {
            BeanPropertyBindingResult result = new BeanPropertyBindingResult(delivery.payload(), "payload");
            validator.validate(delivery.payload(), result);
            if (result.hasErrors()) {
                delivery.reject(InvalidPayload.text(result));
            } else {
                valid.add(delivery);
            }
        }
        return valid;
    }
}
