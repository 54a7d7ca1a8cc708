package dev.jono.memory;

/** The key of signals and stats: the name of a queue in a namespace. */
record Topic(String namespace, String queue) {}
