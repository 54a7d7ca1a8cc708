package dev.jono.spring.actuate;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.WorkerStatus;
import dev.jono.spring.listener.ListenerContainer;
import dev.jono.spring.listener.ListenerContainerRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the storage answers and the listeners of this process can handle messages. How many messages wait does not matter. For the
 * health indicators of the versions of Spring Boot.
 */
public final class JonoHealthCheck {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final QueueFactory jono;
    private final @Nullable ListenerContainerRegistry registry;
    private final MessageQueue<EncodedPayload> probed;

    /**
     * A check.
     *
     * @param registry the listeners; null if the application has none
     */
    public JonoHealthCheck(QueueFactory jono, @Nullable ListenerContainerRegistry registry) {
        this.jono = jono;
        this.registry = registry;
        this.probed = jono.queue(
                DeadLetter.DEFAULT_QUEUE,
                Codec.raw(),
                QueueOptions.builder().operationTimeout(TIMEOUT).build());
    }

    /**
     * The result of a check.
     *
     * @param problems what is wrong with listeners; empty if nothing is
     * @param details more about it
     */
    public record Result(List<String> problems, Map<String, Object> details) {
        /** Whether everything is all right. */
        public boolean isUp() {
            return problems.isEmpty();
        }
    }

    /**
     * Checks; asks the storage once, and waits up to 3 s for it.
     *
     * @throws dev.jono.JonoException if the storage does not answer
     */
    public Result check() {
        probe();
        List<String> problems = new ArrayList<>();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("backend", jono.backend());
        if (registry != null) {
            registry.containers().forEach(container -> problem(container).ifPresent(problems::add));
            details.put("listeners", registry.containers().size());
        }
        if (!problems.isEmpty()) {
            details.put("problems", problems);
        }
        return new Result(problems, details);
    }

    /** One cheap read. */
    private void probe() {
        if (probed.capabilities().contains(Capability.SCHEDULE)) {
            probed.nextMaturity();
        } else {
            probed.counts();
        }
    }

    private static Optional<String> problem(ListenerContainer container) {
        Optional<WorkerStatus> found = container.status();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        WorkerStatus status = found.get();
        if (status.state() == WorkerStatus.State.STOPPED) {
            return Optional.of("listener '" + container.id() + "' has stopped by itself");
        }
        return status.overtime() >= container.concurrency()
                ? Optional.of("listener '" + container.id() + "' handles nothing: all its " + container.concurrency()
                        + " places are occupied by handlers that ran too long and do not end")
                : Optional.empty();
    }
}
