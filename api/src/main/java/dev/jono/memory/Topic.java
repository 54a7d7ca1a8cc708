package dev.jono.memory;

/** A queue's name within a namespace: what signals and stats are kept by. */
record Topic(String namespace, String queue) {}
