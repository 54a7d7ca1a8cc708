package dev.jono.benchmarks.compare;

import dev.jono.testkit.server.RedisServer;
import java.nio.file.Path;
import java.util.List;

/** A Redis with the settings of BullMQ's guide for production: an append-only file and no eviction. */
final class RedisHost implements Server {
    private final RedisServer redis;
    private final String fsync;
    private final String version;

    RedisHost(Path folder, String fsync) {
        this.fsync = fsync;
        this.redis = RedisServer.builder()
                .option("dir", folder.toAbsolutePath().toString())
                .option("appendonly", "yes")
                .option("appendfsync", fsync)
                .option("maxmemory-policy", "noeviction")
                .option("maxclients", "20000")
                .start();
        this.version = redis.info("redis_version");
    }

    @Override
    public String url() {
        return redis.uri();
    }

    @Override
    public List<Long> pids() {
        return List.of(redis.pid());
    }

    @Override
    public String version() {
        return "Redis " + version;
    }

    @Override
    public String settings() {
        return "appendonly yes, appendfsync " + fsync + ", no snapshots, noeviction, maxclients 20000";
    }

    @Override
    public long bytes() {
        return Long.parseLong(redis.info("used_memory"));
    }

    @Override
    public String bytesAre() {
        return "used_memory";
    }

    @Override
    public void close() {
        redis.close();
    }
}
