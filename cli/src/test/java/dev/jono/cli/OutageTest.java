package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import dev.jono.testkit.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command prints while it cannot reach a storage. */
class OutageTest {
    @TempDir
    private Path directory;

    private List<String> words() throws Exception {
        return Files.readAllLines(directory.resolve("words"));
    }

    private Process work(String url) throws Exception {
        Process work = Jono.child("work", url, "q", "--exec", "true")
                .redirectError(directory.resolve("words").toFile())
                .start();
        await().atMost(Duration.ofSeconds(50))
                .until(() -> words().stream().anyMatch(line -> line.startsWith("working on")));
        return work;
    }

    /** The worker, the counters and the signals all fail repeatedly during the outage. */
    private void assertALineForEachKind() throws Exception {
        await().atMost(Duration.ofSeconds(40)).until(() -> words().stream().anyMatch(line -> line.startsWith("WARN")));
        await().during(Duration.ofSeconds(4)).atMost(Duration.ofSeconds(10)).until(() -> words().size() < 7);
        assertThat(words())
                .allSatisfy(line -> assertThat(line)
                        .doesNotContain("\tat ", "Caused by", "PT")
                        .hasSizeLessThan(600));
        assertThat(words()).extracting(line -> line.replaceFirst(": .*", "")).doesNotHaveDuplicates();
    }

    @Test
    void an_outage_of_redis_is_a_line_for_each_thing_that_fails() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            Process work = work("redis-oq:" + redis.uri());
            redis.kill();
            assertALineForEachKind();
            work.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void an_outage_of_mongodb_is_a_line_for_each_thing_that_fails() throws Exception {
        try (MongoReplicaSet set = MongoReplicaSet.start(1)) {
            Process work = work("mongo:" + set.uri("jono_test_outage") + "&serverSelectionTimeoutMS=500");
            set.nodes().forEach(MongoServer::kill);
            assertALineForEachKind();
            work.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_server_that_is_not_there_is_named_in_one_line() throws Exception {
        assertThat(oneLine("mongo:mongodb://localhost:1/x?serverSelectionTimeoutMS=300"))
                .contains("connecting to mongo:mongodb://localhost:1/x", "localhost:1 (Connection refused)")
                .doesNotContain("{", "com.mongodb");
        assertThat(oneLine("redis-oq:redis://localhost:1")).contains("localhost", "Connection refused");
    }

    @Test
    void a_wrong_name_of_a_replica_set_is_said_in_one_line() throws Exception {
        String right = MongoReplicaSet.sharedUri("jono_test_outage");
        String wrong = right.replaceFirst("replicaSet=[^&]*", "replicaSet=other");
        assertThat(oneLine("mongo:" + wrong + "&serverSelectionTimeoutMS=5000"))
                .contains("names the replica set 'other', but ", " belongs to '")
                .doesNotContain("{");
    }

    @Test
    void a_unix_socket_that_a_driver_cannot_use_is_said_in_one_line() throws Exception {
        assertThat(oneLine("mongo:mongodb://%2Ftmp%2Fnone.sock/x")).contains("jnr-unixsocket");
        assertThat(oneLine("redis-oq:redis-socket:///tmp/none.sock")).contains("none.sock");
    }

    private static String oneLine(String url) throws Exception {
        Jono.Run run = Jono.runChild("push", url, "q", "1").ended(Exit.ERROR);
        assertThat(run.err().lines()).hasSize(1);
        return run.err();
    }
}
