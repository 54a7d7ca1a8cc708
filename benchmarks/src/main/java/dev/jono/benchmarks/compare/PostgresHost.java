package dev.jono.benchmarks.compare;

import dev.jono.testkit.server.PostgresServer;
import java.util.List;

/** A PostgreSQL that syncs its files. */
final class PostgresHost implements Server {
    private final PostgresServer server;
    private final String version;

    PostgresHost() {
        this.server = PostgresServer.builder().durable().start();
        this.version = String.valueOf(server.query("SHOW server_version").get(0));
    }

    /** The JDBC URL. */
    @Override
    public String url() {
        return server.url();
    }

    @Override
    public synchronized String url(String database) {
        if (server.query("SELECT 1 FROM pg_database WHERE datname = '" + database + "'")
                .isEmpty()) {
            server.query("CREATE DATABASE " + database);
        }
        return url().replaceFirst("/postgres\\b", "/" + database);
    }

    @Override
    public List<Long> pids() {
        return ProcessHandle.of(server.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid)
                .toList();
    }

    @Override
    public String version() {
        return "PostgreSQL " + version;
    }

    @Override
    public String settings() {
        return "fsync on, synchronous_commit on, 256 MB shared_buffers, otherwise its defaults";
    }

    @Override
    public long bytes() {
        return Long.parseLong(String.valueOf(server.query(
                        "CHECKPOINT; SELECT sum(pg_database_size(oid)) FROM pg_database WHERE datname LIKE 'compare%'")
                .get(0)));
    }

    @Override
    public String bytesAre() {
        return "pg_database_size, dead rows included";
    }

    @Override
    public void close() {
        server.close();
    }
}
