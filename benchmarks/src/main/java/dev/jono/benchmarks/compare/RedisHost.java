package dev.jono.benchmarks.compare;

import dev.jono.testkit.server.RedisServer;
import java.nio.file.Path;
import java.util.List;

/** Redis as BullMQ's guide for production has it: an append-only file, and nothing is evicted. */
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
