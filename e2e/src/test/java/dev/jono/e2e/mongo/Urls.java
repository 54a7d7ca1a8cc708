package dev.jono.e2e.mongo;

import java.util.UUID;

/** Fresh places for tests. */
final class Urls {
    private Urls() {}

    /** A database that nobody uses. */
    static String database() {
        return "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    }

    /**
     * A backend's queues at a URI of MongoDB's, with signals and stats in the same database.
     *
     * @param options more of Jono's, {@code name=value}
     */
    static String of(String backend, String uri, String... options) {
        StringBuilder url = new StringBuilder(backend)
                .append(':')
                .append(uri)
                .append(uri.contains("?") ? '&' : '?')
                .append("jono.one-database=true");
        for (String option : options) {
            url.append('&').append(option);
        }
        return url.toString();
    }
}
