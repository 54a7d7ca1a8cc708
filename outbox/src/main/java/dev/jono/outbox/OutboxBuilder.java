package dev.jono.outbox;

import dev.jono.QueueFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Builds an {@link Outbox}. Not thread-safe. */
public final class OutboxBuilder {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,50}(\\.[A-Za-z_][A-Za-z0-9_]{0,50})?");
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int MOST_IN_BATCH = 10_000;

    private final DataSource database;
    private final QueueFactory jono;
    private String table = "jono_outbox";
    private Duration pollInterval = Duration.ofMillis(250);
    private int batch = 500;
    private boolean create = true;

    OutboxBuilder(DataSource database, QueueFactory jono) {
        this.database = Objects.requireNonNull(database, "database");
        this.jono = Objects.requireNonNull(jono, "jono");
    }

    /**
     * Sets the name of the table, with or without a schema; default {@code jono_outbox}. Two more tables have this name and
     * the ending {@code _relay} or {@code _key}.
     *
     * @throws IllegalArgumentException if it is not made of letters, digits and underscores
     */
    public OutboxBuilder table(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("table '" + name
                    + "' is not allowed: letters, digits and underscores, perhaps with a schema and a dot before them");
        }
        this.table = name;
        return this;
    }

    /**
     * Sets how often the relay looks for messages whose commit was not {@linkplain Outbox#committed reported} in its process;
     * default 250 ms. Each process with an outbox sends one statement in this time while the table is empty.
     *
     * @throws IllegalArgumentException if it is shorter than a millisecond or longer than an hour
     */
    public OutboxBuilder pollInterval(Duration value) {
        if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("poll interval must be from 1 ms to 1 h: " + value);
        }
        this.pollInterval = value;
        return this;
    }

    /**
     * Sets the maximum number of messages that the relay reads at once; default 500.
     *
     * @throws IllegalArgumentException if it is not from 1 to 10,000
     */
    public OutboxBuilder batch(int value) {
        if (value < 1 || value > MOST_IN_BATCH) {
            throw new IllegalArgumentException("batch must be from 1 to " + MOST_IN_BATCH + ": " + value);
        }
        this.batch = value;
        return this;
    }

    /**
     * Whether to create missing tables; default true. A role without the right to create tables can use those that another
     * role has created from {@link #schema}.
     */
    public OutboxBuilder create(boolean value) {
        this.create = value;
        return this;
    }

    /**
     * The statements that create the tables.
     *
     * @throws dev.jono.StorageException if the database cannot be asked for its kind
     * @throws dev.jono.ConfigurationException if this kind of database is not supported
     */
    public String schema() {
        return String.join(";\n", new OutboxTable(database, table).schema()) + ";\n";
    }

    /**
     * Starts the outbox.
     *
     * @throws dev.jono.StorageException if the tables cannot be created
     * @throws dev.jono.ConfigurationException if this kind of database is not supported
     */
    public Outbox start() {
        OutboxTable rows = new OutboxTable(database, table);
        if (create) {
            rows.create();
        }
        Relay relay = new Relay(rows, jono, new RelayLease(table), pollInterval, batch);
        relay.start();
        return new Outbox(jono, rows, relay);
    }
}
