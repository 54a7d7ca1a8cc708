package dev.jono.examples.farm;

/**
 * A task in a queue of the farm.
 *
 * @param queue the name of its queue
 * @param data what the handler gets
 */
public record Task(String queue, String data) {}
