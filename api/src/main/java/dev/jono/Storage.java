package dev.jono;

/**
 * An existing connection to a storage (a Redis client, a MongoDB client), wrapped by a class of its backend's package
 * and handed to {@link QueueFactoryBuilder#storage}. Jono never closes what was handed in.
 */
public interface Storage {}
