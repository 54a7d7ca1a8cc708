package dev.jono.outbox;

import dev.jono.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What differs between the databases that an outbox can be in. */
enum Database {
    /** Logs failed statements, so a look for a table must not fail. */
    POSTGRESQL(
            "bigint generated always as identity primary key",
            "bytea",
            true,
            "select 1 where to_regclass('%s') is not null"),
    H2("bigint generated always as identity primary key", "varbinary(16777216)", true, "select count(*) from %s"),
    /** Has one writer at a time, so a transaction need not lock keys. */
    SQLITE("integer primary key autoincrement", "blob", false, "select count(*) from %s");

    /**
     * Keys share this many locks. A transaction locks the row of its key before it takes a number, so the numbers of one key
     * have the order of the commits.
     */
    static final int KEY_LOCKS = 64;

    private final String number;
    private final String bytes;
    private final String look;
    final boolean locksKeys;

    /**
     * A part of the tables.
     *
     * @param look a query that finds a row if the part is there; it finds none, or fails, if not
     * @param statement creates the part
     */
    record Part(String look, String statement) {}

    Database(String number, String bytes, boolean locksKeys, String look) {
        this.number = number;
        this.bytes = bytes;
        this.locksKeys = locksKeys;
        this.look = look;
    }

    /** By the name that the driver gives. */
    static Database of(String product) {
        for (Database each : values()) {
            if (product.toUpperCase(Locale.ROOT).startsWith(each.name())) {
                return each;
            }
        }
        throw new ConfigurationException(
                "an outbox cannot be in the database '" + product + "': PostgreSQL, SQLite and H2 can have one");
    }

    /** The tables and their rows, in the order in which they are created. */
    List<Part> parts(String table) {
        String relays = table + "_relay";
        String keys = table + "_key";
        List<Part> parts = new ArrayList<>(List.of(
                table(table, """
                        create table if not exists %s (
                          id %s,
                          message varchar(36) not null,
                          queue varchar(200) not null,
                          kind varchar(10) not null,
                          payload %s not null,
                          headers text,
                          ordering_key varchar(256),
                          due_ms bigint,
                          delay_ms bigint not null,
                          tries integer not null,
                          unique_scope varchar(256),
                          unique_key varchar(256),
                          unique_ms bigint not null,
                          refusal varchar(1000)
                        )""".formatted(table, number, bytes)),
                table(relays, """
                        create table if not exists %s (
                          id integer primary key,
                          holder varchar(36) not null,
                          beat bigint not null
                        )""".formatted(relays)),
                table(keys, """
                        create table if not exists %s (
                          slot integer primary key
                        )""".formatted(keys))));
        parts.add(new Part(
                "select 1 from " + relays + " where id = 1",
                "insert into " + relays + " (id, holder, beat) values (1, '', 0)"));
        if (locksKeys) {
            String slots = IntStream.range(0, KEY_LOCKS)
                    .mapToObj(slot -> "(" + slot + ")")
                    .collect(Collectors.joining(", "));
            parts.add(new Part(
                    "select 1 from " + keys + " where slot = 0", "insert into " + keys + " (slot) values " + slots));
        }
        return parts;
    }

    private Part table(String name, String statement) {
        return new Part(look.formatted(name), statement);
    }
}
