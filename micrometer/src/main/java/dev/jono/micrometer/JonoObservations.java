package dev.jono.micrometer;

import dev.jono.Interceptor;
import dev.jono.Message;
import dev.jono.OutgoingMessage;
import dev.jono.PushResult;
import dev.jono.SnoozeException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Observes pushes and handlers, so that Micrometer makes spans and timers of them. A trace continues from the push to the handler, also in
 * another process: its context is stored in headers of the message, such as {@code traceparent}. Immutable and thread-safe.
 *
 * <pre>{@code
 * QueueFactory jono = QueueFactory.builder(url)
 *         .interceptor(JonoObservations.create(observationRegistry))
 *         .connect();
 * }</pre>
 *
 * <p>Pipelines and jobs are observed too: a move with a changed payload is a push, and a run of a job is a handling of its message. A handler
 * that throws {@link SnoozeException} has not failed.
 */
public final class JonoObservations implements Interceptor {
    private static final PushConvention DEFAULT_PUSH = new OpenTelemetryPushConvention();
    private static final HandleConvention DEFAULT_HANDLE = new OpenTelemetryHandleConvention();

    private final ObservationRegistry registry;
    private final @Nullable PushConvention push;
    private final @Nullable HandleConvention handle;

    private JonoObservations(
            ObservationRegistry registry, @Nullable PushConvention push, @Nullable HandleConvention handle) {
        this.registry = registry;
        this.push = push;
        this.handle = handle;
    }

    /** Observations with the conventions of OpenTelemetry, unless the registry has others. */
    public static JonoObservations create(ObservationRegistry registry) {
        return new JonoObservations(Objects.requireNonNull(registry, "registry"), null, null);
    }

    /** The same observations with another convention for pushes. */
    public JonoObservations pushConvention(PushConvention convention) {
        return new JonoObservations(registry, Objects.requireNonNull(convention, "convention"), handle);
    }

    /** The same observations with another convention for handlers. */
    public JonoObservations handleConvention(HandleConvention convention) {
        return new JonoObservations(registry, push, Objects.requireNonNull(convention, "convention"));
    }

    @Override
    public OutgoingMessage push(OutgoingMessage message) {
        if (registry.isNoop()) {
            return message;
        }
        PushContext context = new PushContext(message);
        Observation observation = Observation.start(push, DEFAULT_PUSH, () -> context, registry);
        return observation.isNoop() ? message : context.message().attribute(this, observation);
    }

    @Override
    public void pushed(OutgoingMessage message, @Nullable PushResult result, @Nullable Throwable failure) {
        if (message.attribute(this) instanceof Observation observation) {
            ((PushContext) observation.getContext()).result(result);
            if (failure != null) {
                observation.error(failure);
            }
            observation.stop();
        }
    }

    @Override
    public void handleAll(List<? extends Message<?>> messages, Handling handling) throws Exception {
        Observation observation =
                Observation.start(handle, DEFAULT_HANDLE, () -> new HandleContext(messages), registry);
        Observation.Scope scope = observation.openScope();
        try {
            handling.proceed();
        } catch (SnoozeException later) {
            throw later;
        } catch (Throwable failure) {
            observation.error(failure);
            throw failure;
        } finally {
            scope.close();
            observation.stop();
        }
    }
}
