package dev.jono.testkit.server;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The MongoDB servers that the tests of this JVM share. */
final class SharedMongo {
    private SharedMongo() {}

    /**
     * A server that an environment variable names, otherwise a server that is started here. It maps the name of a
     * database to its URI.
     */
    static SharedServer<UnaryOperator<String>> namedBy(String variable, Supplier<UnaryOperator<String>> start) {
        return new SharedServer<>(() -> {
            String uri = System.getenv(variable);
            return uri == null || uri.isEmpty() ? start.get() : database -> withDatabase(uri, database);
        });
    }

    /** Replaces the database in a URI. */
    static String withDatabase(String uri, String database) {
        int question = uri.indexOf('?');
        String location = question < 0 ? uri : uri.substring(0, question);
        String options = question < 0 ? "" : uri.substring(question);
        int slash = location.indexOf('/', location.indexOf("//") + 2);
        return (slash < 0 ? location : location.substring(0, slash)) + "/" + database + options;
    }
}
