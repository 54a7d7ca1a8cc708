package dev.jono.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.testkit.ChildJvm;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("fault")
class RedisServerTest {
    @Test
    void startsAnswersAndEndsWithoutTraces() {
        Path folder;
        long pid;
        try (RedisServer server = RedisServer.start()) {
            folder = server.folder();
            pid = server.pid();
            assertThat(server.call("SET", "k", "väl")).isEqualTo("OK");
            assertThat(server.call("GET", "k")).isEqualTo("väl");
            assertThat(server.call("GET", "none")).isNull();
            assertThat(server.call("INCR", "n")).isEqualTo(1L);
            assertThat(server.callForList("MGET", "k", "none")).isEqualTo(java.util.Arrays.asList("väl", null));
            assertThatThrownBy(() -> server.call("INCR", "k")).hasMessageContaining("INCR k: ERR");
        }
        assertThat(folder).doesNotExist();
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }

    @Test
    void keepsWhatItWasToldToOverKillAndRestart() {
        try (RedisServer server = RedisServer.builder()
                .option("appendonly", "yes")
                .option("appendfsync", "always")
                .start()) {
            server.call("SET", "k", "v");
            long first = server.pid();
            server.kill();
            assertThat(server.isAlive()).isFalse();
            assertThatThrownBy(() -> server.call("PING")).isInstanceOf(UncheckedIOException.class);
            server.restart();
            assertThat(server.pid()).isNotEqualTo(first);
            assertThat(server.call("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void suspendedServerHangsAndGoesOn() {
        try (RedisServer server = RedisServer.start()) {
            server.suspend();
            assertThat(server.isAlive()).isTrue();
            server.resume();
            assertThat(server.call("PING")).isEqualTo("PONG");
            server.suspend();
            // and a suspended one closes
        }
    }

    @Test
    void passwordsAndUsersAreAsked() {
        try (RedisServer server = RedisServer.builder()
                .password("secret")
                .users("user jono on >other ~keuss:* &* +@all")
                .start()) {
            assertThat(server.uri()).isEqualTo("redis://:secret@127.0.0.1:" + server.port());
            assertThat(server.callForList("ACL", "USERS")).isEqualTo(List.of("default", "jono"));
        }
        try (RedisServer server = RedisServer.builder().password("secret").start()) {
            assertThat(server.callForList("CONFIG", "GET", "requirepass")).isEqualTo(List.of("requirepass", "secret"));
        }
    }

    @Test
    void replicaFollows() {
        try (RedisServer primary = RedisServer.start();
                RedisServer replica = RedisServer.builder().replicaOf(primary).start()) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> replica.info("master_link_status").equals("up"));
            assertThat(replica.info("role")).isEqualTo("slave");
        }
    }

    @Test
    void wrongOptionIsToldWithTheServersWords() {
        RedisServer.Builder wrong = RedisServer.builder().option("no-such-option", "1");
        assertThatThrownBy(wrong::start).hasMessageContaining("no-such-option");
    }

    /** A JVM that starts a server and is killed. */
    public static final class Starter {
        private Starter() {}

        @SuppressWarnings("SystemOut") // the parent reads its lines
        public static void main(String[] args) throws InterruptedException {
            RedisServer server = RedisServer.start();
            System.out.println("started " + server.pid() + " " + server.folder());
            new java.util.concurrent.CountDownLatch(1).await();
        }
    }

    @Test
    void killedJvmLeavesNoServer() {
        String[] told;
        try (ChildJvm child = ChildJvm.start(Starter.class)) {
            child.await("the server", c -> !c.lines("started ").isEmpty());
            told = child.lines("started ").get(0).split(" ", -1);
            assertThat(ProcessHandle.of(Long.parseLong(told[0]))).isPresent();
            child.kill();
        }
        Awaitility.await("the server to end with its JVM")
                .atMost(Duration.ofSeconds(20))
                .until(() -> ProcessHandle.of(Long.parseLong(told[0]))
                                .filter(ProcessHandle::isAlive)
                                .isEmpty()
                        && !Files.exists(Path.of(told[1])));
    }

    @Test
    void sharedServerIsOneAndAnswers() {
        assertThat(RedisServer.sharedUri()).isEqualTo(RedisServer.sharedUri()).startsWith("redis");
        assertThat(RedisCluster.sharedUri()).isEqualTo(RedisCluster.sharedUri()).startsWith("redis://");
        assertThat(RedisSentinels.sharedUri())
                .isEqualTo(RedisSentinels.sharedUri())
                .startsWith("redis-sentinel://");
    }
}
