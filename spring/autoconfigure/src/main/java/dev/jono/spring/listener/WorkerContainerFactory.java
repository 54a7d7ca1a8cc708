package dev.jono.spring.listener;

import dev.jono.QueueFactory;

/** Makes containers that run a {@link dev.jono.Worker} each. */
public final class WorkerContainerFactory implements ListenerContainerFactory {
    private final QueueFactory jono;
    private final ListenerSettings defaults;

    /**
     * A factory.
     *
     * @param defaults for settings that an endpoint does not set
     */
    public WorkerContainerFactory(QueueFactory jono, ListenerSettings defaults) {
        this.jono = jono;
        this.defaults = defaults;
    }

    @Override
    public ListenerContainer create(ListenerEndpoint<?> endpoint) {
        return new WorkerContainer<>(jono, endpoint, endpoint.settings().orElse(defaults));
    }
}
