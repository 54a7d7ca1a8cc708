package dev.jono.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A primary PostgreSQL, and a hot standby that follows it by streaming replication. The test kills the primary and promotes
 * the standby, as a cluster manager does. Not thread-safe.
 */
public final class PostgresPair implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path template;
    private final PostgresServer primary;
    private final TcpProxy replication;
    private @Nullable PostgresServer standby;

    private PostgresPair(Path template, PostgresServer primary, TcpProxy replication) {
        this.template = template;
        this.primary = primary;
        this.replication = replication;
    }

    /** A primary whose commits do not wait for the standby. The last ones can be lost. */
    public static PostgresPair asynchronous() {
        return start("", "on");
    }

    /** A primary whose commits wait until the standby has applied them: {@code synchronous_commit=remote_apply}. */
    public static PostgresPair synchronous() {
        return start("*", "remote_apply");
    }

    private static PostgresPair start(String synchronousStandbyNames, String synchronousCommit) {
        Path template = PostgresInstallation.found().createTemplate();
        PostgresServer primary = builder(template)
                .option("synchronous_standby_names", synchronousStandbyNames)
                .option("synchronous_commit", synchronousCommit)
                .start();
        PostgresPair pair = new PostgresPair(template, primary, TcpProxy.to(primary.host(), primary.port()));
        try {
            pair.startStandby();
            return pair;
        } catch (RuntimeException failure) {
            pair.close();
            throw failure;
        }
    }

    private static PostgresServer.Builder builder(Path template) {
        return PostgresServer.builder()
                .copyOf(template)
                .option("wal_level", "replica")
                .option("max_wal_senders", "10")
                .option("wal_keep_size", "256MB");
    }

    private void startStandby() {
        try {
            Files.createFile(template.resolve("standby.signal"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot declare a standby", e);
        }
        standby = builder(template)
                .option(
                        "primary_conninfo",
                        "host=127.0.0.1 port=" + replication.port() + " user=postgres application_name=standby")
                .option("wal_retrieve_retry_interval", "100ms")
                .start();
        awaitCaughtUp();
    }

    /** The server that was the primary at the start. */
    public PostgresServer primary() {
        return primary;
    }

    /** The server that was the standby at the start. */
    public PostgresServer standby() {
        if (standby == null) {
            throw new IllegalStateException("the standby has not started");
        }
        return standby;
    }

    /** The JDBC URL with both hosts, which leads to the primary. */
    public String url() {
        return "jdbc:postgresql://" + primary.address() + "," + standby().address()
                + "/postgres?user=postgres&targetServerType=primary";
    }

    /** Waits until the standby has applied all that is written by now. */
    public void awaitCaughtUp() {
        Awaitility.await("the standby to follow")
                .pollInterval(Duration.ofMillis(20))
                .atMost(PATIENCE)
                .until(() -> primary.query("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'"
                                + " AND replay_lsn >= pg_current_wal_lsn()")
                        .contains("1"));
    }

    /** Cuts the standby off. What the primary writes from now on never reaches it. */
    public void cutReplication() {
        replication.refuse();
        replication.cutAll();
    }

    /** Kills the primary, and makes the standby the new one. */
    public void failOver() {
        primary.kill();
        standby().query("SELECT pg_promote()");
    }

    @Override
    public void close() {
        if (standby != null) {
            standby.close();
        }
        replication.close();
        primary.close();
        ServerProcess.remove(template.resolveSibling(""));
    }
}
