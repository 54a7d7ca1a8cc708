package dev.jono.spring.actuate;

import dev.jono.WorkerStatus;
import dev.jono.spring.listener.ListenerContainer;
import dev.jono.spring.listener.ListenerContainerRegistry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The listeners of this process, and the runner of its jobs. */
final class ListenerSection implements EndpointSection {
    private static final Duration STOP = Duration.ofSeconds(20);

    private final ListenerContainerRegistry registry;

    ListenerSection(ListenerContainerRegistry registry) {
        this.registry = registry;
    }

    /**
     * A listener.
     *
     * @param sources its queues, or the types of its jobs
     * @param state {@code RUNNING}, {@code STOPPING} or {@code STOPPED}
     * @param running messages on which handlers work
     * @param overtime handlers that run longer than they may
     * @param succeeded messages that were handled since it was started
     * @param failed messages whose handler failed since it was started
     */
    record Entry(
            String id,
            List<String> sources,
            String state,
            int concurrency,
            int running,
            int overtime,
            long succeeded,
            long failed) {
        static Entry of(ListenerContainer container) {
            WorkerStatus status =
                    container.status().orElseGet(() -> WorkerStatus.of(WorkerStatus.State.STOPPED, 0, 0, 0, 0));
            return new Entry(
                    container.id(),
                    container.sources(),
                    status.state().name(),
                    container.concurrency(),
                    status.running(),
                    status.overtime(),
                    status.succeeded(),
                    status.failed());
        }
    }

    @Override
    public String name() {
        return "listeners";
    }

    @Override
    public List<Entry> entries() {
        return registry.containers().stream().map(Entry::of).toList();
    }

    @Override
    public @Nullable Entry entry(String name) {
        return registry.container(name).map(Entry::of).orElse(null);
    }

    @Override
    public String missing(String name) {
        return "there is no listener '" + name + "' in this process. There are "
                + entries().stream().map(Entry::id).toList();
    }

    @Override
    public List<String> actions() {
        return List.of("start", "stop");
    }

    @Override
    public @Nullable Entry act(String name, String action) {
        ListenerContainer container = registry.container(name).orElse(null);
        if (container == null) {
            return null;
        }
        if (action.equals("start")) {
            container.start();
        } else {
            container.stop(STOP);
        }
        return Entry.of(container);
    }
}
