package dev.jono.spring.listener;

/** Makes containers for endpoints. An application can have several, and name one in {@code @JonoListener}. */
@FunctionalInterface
public interface ListenerContainerFactory {
    /** Makes a container, and does not start it. */
    ListenerContainer create(ListenerEndpoint<?> endpoint);
}
