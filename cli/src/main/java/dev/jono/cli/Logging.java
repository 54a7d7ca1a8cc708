package dev.jono.cli;

import java.util.List;

/** How much the libraries log to standard error. */
final class Logging {
    private static final String LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

    /** Silent unless asked for: simplelogger.properties says why. */
    private static final List<String> DRIVERS = List.of("org.mongodb.driver", "io.lettuce", "io.netty");

    private Logging() {}

    /** Sets the level, unless whoever started the JVM did. Must come before the first logger is made. */
    static void level(int verbosity) {
        if (verbosity > 0 && System.getProperty(LEVEL) == null) {
            String level = verbosity == 1 ? "info" : "debug";
            System.setProperty(LEVEL, level);
            DRIVERS.forEach(driver -> System.setProperty("org.slf4j.simpleLogger.log." + driver, level));
        }
    }

    /** Only errors: a child of the demo, where failures are part of the show. */
    static void errorsOnly() {
        if (System.getProperty(LEVEL) == null) {
            System.setProperty(LEVEL, "error");
        }
    }
}
