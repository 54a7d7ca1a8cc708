package dev.jono.cli;

import picocli.CommandLine.Option;

/** The options of commands that take a number of messages. */
final class CountOptions {
    /** Messages per storage call. */
    static final int BATCH = 256;

    @Option(names = "-n", paramLabel = "N", description = "The maximum number of messages. Default: 1.")
    private long number = 1;

    @Option(names = "--all", description = "All ready messages.")
    private boolean all;

    void check() {
        if (number < 1) {
            throw CliException.usage("-n must be at least 1: " + number);
        }
    }

    long maximum() {
        return all ? Long.MAX_VALUE : number;
    }

    /** The number of messages for the next call, when this many were taken. */
    int nextBatch(long taken) {
        return (int) Math.min(BATCH, maximum() - taken);
    }
}
