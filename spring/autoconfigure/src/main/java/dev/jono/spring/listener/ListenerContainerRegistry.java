package dev.jono.spring.listener;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * All containers of the application. It starts them after all other beans with a lifecycle, and stops them first, in parallel. Thread-safe.
 *
 * <p>At shutdown the web server drains its requests after that, so requests can still push; the queue factory is closed when the beans are
 * destroyed, before the connections that it uses.
 */
public final class ListenerContainerRegistry implements SmartLifecycle {
    /** The phase: later than that of the web server and of all connections. */
    public static final int PHASE = DEFAULT_PHASE - 100;

    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.spring");

    private final Map<String, ListenerContainer> containers = new ConcurrentSkipListMap<>();
    private final Executor stopThreads = new SimpleAsyncTaskExecutor("jono-stop-");
    private final Duration stopTimeout;
    private volatile boolean running;

    /**
     * A registry.
     *
     * @param stopTimeout how long handlers have when the application stops; it must leave some time of the shutdown phase for giving
     *     messages back
     */
    public ListenerContainerRegistry(Duration stopTimeout) {
        this.stopTimeout = stopTimeout;
    }

    /**
     * Adds a container, and starts it if the application runs.
     *
     * @throws IllegalStateException if there is a container with this id
     */
    public void register(ListenerContainer container) {
        if (containers.putIfAbsent(container.id(), container) != null) {
            throw new IllegalStateException("there are two listeners with the id '" + container.id()
                    + "'; give one of them another id, such as @JonoListener(id = \"…\")");
        }
        if (running && container.isAutoStartup()) {
            container.start();
        }
    }

    /** All containers, by their ids. */
    public Collection<ListenerContainer> containers() {
        return List.copyOf(containers.values());
    }

    /** The container with this id. */
    public Optional<ListenerContainer> container(String id) {
        return Optional.ofNullable(containers.get(id));
    }

    @Override
    public void start() {
        running = true;
        containers.values().stream().filter(ListenerContainer::isAutoStartup).forEach(ListenerContainer::start);
    }

    @Override
    public void stop() {
        stopAll().join();
    }

    @Override
    public void stop(Runnable callback) {
        stopAll().whenComplete((done, failure) -> callback.run());
    }

    private CompletableFuture<Void> stopAll() {
        running = false;
        return CompletableFuture.allOf(containers.values().stream()
                .filter(ListenerContainer::isRunning)
                .map(container -> CompletableFuture.runAsync(() -> stop(container), stopThreads))
                .toArray(CompletableFuture[]::new));
    }

    private void stop(ListenerContainer container) {
        try {
            if (!container.stop(stopTimeout)) {
                LOG.warn(
                        "listener '{}': handlers were interrupted at shutdown, and their messages given back",
                        container.id());
            }
        } catch (RuntimeException failure) {
            LOG.warn(
                    "listener '{}' could not be stopped; its messages return after their leases",
                    container.id(),
                    failure);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
