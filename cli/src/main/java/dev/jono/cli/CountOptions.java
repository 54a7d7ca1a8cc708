package dev.jono.cli;

import picocli.CommandLine.Option;

/** How many messages to take. */
final class CountOptions {
    /** Messages per call to the storage. */
    static final int BATCH = 256;

    @Option(names = "-n", paramLabel = "N", description = "How many at most. Default: 1.")
    private long number = 1;

    @Option(names = "--all", description = "All that are there.")
    private boolean all;

    void check() {
        if (number < 1) {
            throw CliException.usage("-n must be at least 1: " + number);
        }
    }

    long maximum() {
        return all ? Long.MAX_VALUE : number;
    }

    /** How many to ask for, when so many were taken. */
    int nextBatch(long taken) {
        return (int) Math.min(BATCH, maximum() - taken);
    }
}
