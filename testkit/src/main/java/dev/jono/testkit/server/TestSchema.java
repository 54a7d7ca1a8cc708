package dev.jono.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The name of a schema in a PostgreSQL, for one test. The test creates the schema, and {@link #close} drops it. */
public final class TestSchema implements AutoCloseable {
    private static final Pattern URL =
            Pattern.compile("jdbc:postgresql://([^:/]+):([0-9]+)/([^?]+)\\?user=([^&]+)(.*)");
    private static final int NAME_LENGTH = 12;

    private final String url;
    private final String name =
            "test_" + UUID.randomUUID().toString().replace("-", "").substring(0, NAME_LENGTH);

    private TestSchema(String url) {
        this.url = url;
    }

    /** A schema in the database of this JDBC URL, such as {@link PostgresServer#sharedUrl()}. */
    public static TestSchema in(String url) {
        return new TestSchema(url);
    }

    /** The name of the schema. */
    public String name() {
        return name;
    }

    /** The JDBC URL of its database. */
    public String jdbcUrl() {
        return url;
    }

    /** The URL for Jono, with the schema: {@code postgres:jdbc:postgresql://…&jono.schema=…}. */
    public String jonoUrl() {
        return "postgres:" + url + (url.indexOf('?') < 0 ? '?' : '&') + "jono.schema=" + name;
    }

    /** Drops the schema, unless the URL has a password or other options. */
    @Override
    public void close() {
        Matcher parts = URL.matcher(url);
        if (!parts.matches() || !parts.group(5).isEmpty()) {
            return;
        }
        query("SET lock_timeout = '20s'; DROP SCHEMA IF EXISTS " + name + " CASCADE");
    }

    /** Runs a statement as the user of the URL, who needs no password; returns the first column of all rows, as text. */
    List<@Nullable String> query(String sql) {
        Matcher parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalStateException("not a JDBC URL of a test server: " + url);
        }
        try (PostgresWire wire =
                new PostgresWire(parts.group(1), Integer.parseInt(parts.group(2)), parts.group(4), parts.group(3))) {
            return wire.query(sql);
        } catch (IOException e) {
            throw new UncheckedIOException("'" + sql + "' in the schema " + name, e);
        }
    }
}
