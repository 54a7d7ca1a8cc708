package dev.jono.e2e.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import dev.jono.testkit.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runners are killed in a loop, on MongoDB the primary too. At the end each job is final, no key or slot is held, and each callback and
 * each occurrence was enqueued once.
 */
@Tag("fault")
@Tag("jobs")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JobLoadTest {
    @TempDir
    private Path folder;

    private void run(String url, int count, Runnable fault, int times) {
        JobLoad.Settings settings = new JobLoad.Settings(
                url,
                count,
                Duration.ofSeconds(8),
                Duration.ofMillis(1500),
                Duration.ofSeconds(5),
                Duration.ofSeconds(120));
        try (JobLoad load = new JobLoad(settings, folder)) {
            LoadCheck.Report report = load.settle(load.run(fault, times), false);
            assertThat(report.violations()).as("%s", report).isEmpty();
        }
    }

    @Test
    void sqlite() {
        run("sqlite:" + folder.resolve("jobs.db"), 500, () -> {}, 0);
    }

    @Test
    void redis() {
        try (RedisServer redis = RedisServer.start()) {
            run("redis-oq:" + redis.uri(), 500, () -> {}, 0);
        }
    }

    @Test
    void primaryOfMongoDies() {
        try (MongoReplicaSet set = MongoReplicaSet.start(3)) {
            run(url(set), 500, () -> replacePrimary(set), 1);
        }
    }

    static String url(MongoReplicaSet set) {
        return "mongo:" + set.uri("jobs") + "&jono.one-database=true&jono.timeout=5s";
    }

    /** Kills the primary, and starts it again when there is another one. */
    static void replacePrimary(MongoReplicaSet set) {
        MongoServer primary = set.awaitPrimary();
        primary.kill();
        set.awaitFailoverFrom(primary);
        primary.restart();
    }
}
