package dev.jono.outbox;

import dev.jono.ConfigurationException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What differs between the databases that an outbox can be in. */
enum Database {
    POSTGRESQL("bigint generated always as identity primary key", "bytea", true),
    H2("bigint generated always as identity primary key", "varbinary(16777216)", true),
    /** Has one writer at a time, so a transaction need not lock keys. */
    SQLITE("integer primary key autoincrement", "blob", false);

    /**
     * Keys share this many locks. A transaction locks the row of its key before it takes a number, so the numbers of one key
     * have the order of the commits.
     */
    static final int KEY_LOCKS = 64;

    private final String number;
    private final String bytes;
    final boolean locksKeys;

    Database(String number, String bytes, boolean locksKeys) {
        this.number = number;
        this.bytes = bytes;
        this.locksKeys = locksKeys;
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

    /** The statements that fill the new tables. */
    List<String> rows(String table) {
        String relay = "insert into " + table + "_relay (id, holder, beat) values (1, '', 0)";
        if (!locksKeys) {
            return List.of(relay);
        }
        String slots =
                IntStream.range(0, KEY_LOCKS).mapToObj(slot -> "(" + slot + ")").collect(Collectors.joining(", "));
        return List.of(relay, "insert into " + table + "_key (slot) values " + slots);
    }

    /** The statements that create the tables. */
    List<String> schema(String table) {
        return List.of("""
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
                )""".formatted(table, number, bytes), """
                create table if not exists %s_relay (
                  id integer primary key,
                  holder varchar(36) not null,
                  beat bigint not null
                )""".formatted(table), """
                create table if not exists %s_key (
                  slot integer primary key
                )""".formatted(table));
    }
}
