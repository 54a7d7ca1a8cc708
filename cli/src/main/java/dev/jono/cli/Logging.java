package dev.jono.cli;

import java.util.List;

/** Sets the log level of the libraries. The log goes to standard error. */
final class Logging {
    private static final String LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

    /** Drivers that simplelogger.properties silences by default. */
    private static final List<String> DRIVERS = List.of("org.mongodb.driver", "io.lettuce", "io.netty");

    private Logging() {}

    /** Sets the level, unless a system property does. Must run before the first logger is created. */
    static void level(int verbosity) {
        if (verbosity > 0 && System.getProperty(LEVEL) == null) {
            String level = verbosity == 1 ? "info" : "debug";
            System.setProperty(LEVEL, level);
            DRIVERS.forEach(driver -> System.setProperty("org.slf4j.simpleLogger.log." + driver, level));
        }
    }

    /** Logs only errors, for the children of the demo, in which failures are expected. */
    static void errorsOnly() {
        if (System.getProperty(LEVEL) == null) {
            System.setProperty(LEVEL, "error");
        }
    }
}
