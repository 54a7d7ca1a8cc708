package dev.jono.cli;

/** How much the libraries log to standard error. */
final class Logging {
    private static final String LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

    private Logging() {}

    /** Sets the level, unless whoever started the JVM did. Must come before the first logger is made. */
    static void level(int verbosity) {
        if (verbosity > 0 && System.getProperty(LEVEL) == null) {
            System.setProperty(LEVEL, verbosity == 1 ? "info" : "debug");
        }
    }

    /** Only errors: a child of the demo, where failures are part of the show. */
    static void errorsOnly() {
        if (System.getProperty(LEVEL) == null) {
            System.setProperty(LEVEL, "error");
        }
    }
}
