package dev.jono.benchmarks;

import dev.jono.QueueFactory;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.RedisServer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A new storage with a factory on it; {@link #close} ends both.
 *
 * @param url the address of the storage, for other processes
 * @param jono the factory
 * @param process in which the storage runs: a server, or this process
 * @param storage ends the storage
 */
record Testbed(String url, QueueFactory jono, ProcessHandle process, Closeable storage) implements Closeable {
    private static Testbed on(String url, long pid, Closeable storage) {
        return new Testbed(url, QueueFactory.connect(url), ProcessHandle.of(pid).orElseThrow(), storage);
    }

    /** A file in a temporary folder. */
    static Testbed sqlite() throws IOException {
        Path folder = Files.createTempDirectory("jono-bench");
        return on("sqlite:" + folder.resolve("jono.db"), ProcessHandle.current().pid(), () -> Folders.delete(folder));
    }

    /** The backend redis-oq on a server without persistence. */
    static Testbed redis() {
        RedisServer redis = RedisServer.start();
        return on(RedisTestbed.url("redis-oq", redis), redis.pid(), redis::close);
    }

    /** The backend mongo on a replica set of one node. */
    static Testbed mongo() {
        MongoTestbed mongo = new MongoTestbed();
        return on(mongo.url("mongo", "testbed"), mongo.process().pid(), mongo::close);
    }

    /** The backend postgres on a server that syncs its files. */
    static Testbed postgres() {
        PostgresServer server = PostgresServer.builder().durable().start();
        return on(url(server), server.pid(), server::close);
    }

    /** The URL for a factory on that server. */
    static String url(PostgresServer server) {
        return "postgres:" + server.url();
    }

    @Override
    public void close() throws IOException {
        jono.close();
        storage.close();
    }
}
