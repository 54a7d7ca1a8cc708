package dev.jono.jobs.spi;

/**
 * A stored entry: a small document with a name, which processes share.
 *
 * @param name its name within its kind
 * @param version identifies the change that wrote it
 * @param document its content
 */
public record StoredEntry(String name, String version, String document) {}
