package dev.jono;

/**
 * An existing connection to a storage, such as a Redis or MongoDB client. A class of the backend's package wraps the
 * client, and {@link QueueFactoryBuilder#storage} accepts it. Jono never closes a connection that was handed in.
 */
public interface Storage {}
