package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.JonoClock;
import dev.jono.JonoException;
import dev.jono.QueueClosedException;
import dev.jono.StorageException;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class RedisLinkTest {
    @Test
    void closedLinkRefusesCallsWithAKnownOutcome() {
        try (RedisServer redis = RedisServer.start()) {
            RedisLink link = Links.open(redis.uri());
            assertThat(Links.count(link)).isEqualTo(1);
            link.close();
            link.close();
            for (JonoException refusal : List.of(refused(link, true), refused(link, false))) {
                assertThat(refusal)
                        .isInstanceOf(QueueClosedException.class)
                        .hasMessageContaining("counting up on queue 'orders'")
                        .hasMessageContaining("is closed");
            }
            assertThat(redis.call("GET", "n")).isEqualTo("1");
        }
    }

    private static JonoException refused(RedisLink link, boolean mutating) {
        Script script = mutating ? Links.COUNT : Script.of("counting up", false, "return {1}");
        return (JonoException) link.run(script, "orders", Links.KEY)
                .handle((done, failure) -> RedisErrors.unwrap(failure))
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void connectionStaysOpenUntilTheLastLinkIsClosed() {
        try (RedisServer redis = RedisServer.start()) {
            RedisLink backend = Links.open(redis.uri());
            RedisLink signaller = Links.open("", JonoClock.system(), backend);
            assertThat(signaller.shares(backend)).isTrue();
            backend.close();
            assertThatThrownBy(() -> Links.count(backend)).isInstanceOf(QueueClosedException.class);
            assertThat(Links.count(signaller)).isEqualTo(1);
            signaller.close();
            Awaitility.await("the connection to end")
                    .until(() -> redis.info("connected_clients").equals("1")); // the one that asks
            assertThatThrownBy(() -> Links.open("", JonoClock.system(), backend))
                    .isInstanceOf(QueueClosedException.class)
                    .hasMessageContaining("is closed");
            assertThatThrownBy(signaller::pubSub).isInstanceOf(QueueClosedException.class);
        }
    }

    @Test
    void callThatWaitsForRedisFailsWhenTheLinkIsClosed() {
        try (RedisServer redis = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(redis.host(), redis.port())) {
            RedisLink link = Links.open("redis://127.0.0.1:" + proxy.port() + "?jono.timeout=20s");
            proxy.refuse();
            proxy.cutAll();
            List<CompletableFuture<List<Object>>> waiting = new ArrayList<>();
            Awaitility.await("a call that waits").until(() -> {
                CompletableFuture<List<Object>> call = link.run(Links.COUNT, "orders", Links.KEY);
                waiting.add(call);
                return !call.isDone();
            });
            link.close();
            assertThatThrownBy(() -> Links.got(waiting.get(waiting.size() - 1)))
                    .isInstanceOf(QueueClosedException.class);
        }
    }

    @Test
    void callsDuringCloseAreEitherDoneOrRefused() {
        try (RedisServer redis = RedisServer.start()) {
            for (int round = 0; round < 20; round++) {
                RedisLink link = Links.open(redis.uri());
                long before = Links.count(link);
                List<CompletableFuture<List<Object>>> calls = new ArrayList<>();
                CompletableFuture<Void> closing = new CompletableFuture<>();
                for (int i = 0; i < 200; i++) {
                    if (i == 100) {
                        closing = CompletableFuture.runAsync(link::close);
                    }
                    calls.add(link.run(Links.COUNT, "orders", Links.KEY));
                }
                closing.join();
                long done = 0;
                long closed = 0;
                for (CompletableFuture<List<Object>> call : calls) {
                    Throwable failure = call.handle((answer, thrown) -> thrown)
                            .orTimeout(20, TimeUnit.SECONDS)
                            .join();
                    done += failure == null ? 1 : 0;
                    closed += RedisErrors.unwrap(failure == null ? new Throwable() : failure)
                                    instanceof QueueClosedException
                            ? 1
                            : 0;
                }
                long counted = Long.parseLong(String.valueOf(redis.call("GET", "n"))) - before;
                assertThat(counted).isBetween(done, calls.size() - closed);
            }
        }
    }

    @Test
    void connectingToARedisThatMayEvictIsLogged() {
        assertThat(warningsAtConnecting("allkeys-lru", "+@all"))
                .contains("maxmemory-policy is 'allkeys-lru'")
                .contains("noeviction");
        assertThat(warningsAtConnecting("noeviction", "+@all")).isEmpty();
    }

    @Test
    void connectingWithoutTheRightToAskIsNoError() {
        assertThat(warningsAtConnecting("allkeys-lru", "+hello +eval +evalsha +incr"))
                .isEmpty();
    }

    private static String warningsAtConnecting(String policy, String rights) {
        PrintStream before = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (RedisServer redis = RedisServer.builder()
                .option("maxmemory-policy", policy)
                .users("user least on >secret ~* &* -@all " + rights)
                .start()) {
            System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
            try (RedisLink link = Links.open("redis://least:secret@" + redis.address())) {
                // Answers arrive in the order of the commands: the policy was read before.
                assertThat(Links.count(link)).isEqualTo(1);
            }
        } finally {
            System.setErr(before);
        }
        String text = written.toString(StandardCharsets.UTF_8);
        assertThat(text).doesNotContain("secret");
        return text;
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = "amd64",
            disabledReason = "the test has the native transport for this platform only")
    void unixSocketIsConnectedTo() {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        Path socket = folder.resolve("jono-" + ProcessHandle.current().pid() + ".sock");
        try (RedisServer redis = RedisServer.builder()
                        .option("unixsocket", socket.toString())
                        .start();
                RedisLink link = Links.open("redis-socket://" + socket + "?jono.prefix=p:")) {
            assertThat(Links.count(link)).isEqualTo(1);
            assertThat(redis.call("GET", "n")).isEqualTo("1");
            assertThat(link.keys().prefix()).isEqualTo("p:");
            // It reconnects like any other connection.
            redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            Awaitility.await().ignoreExceptions().until(() -> Links.count(link) >= 2);
        }
    }

    @Test
    void wrongLocationIsReportedWithoutThePassword() {
        for (String location :
                List.of("redis://me:hunter2@h:port", "redis://me:hunter2@127.0.0.1:1", "http://me:hunter2@h")) {
            assertThatThrownBy(() -> Links.open(location))
                    .as(location)
                    .isInstanceOfAny(ConfigurationException.class, StorageException.class)
                    .hasMessageContaining("://***")
                    .hasMessageNotContaining("hunter2");
        }
    }

    @Test
    void closingWhileRedisIsSilentEndsSoon() {
        try (RedisServer redis = RedisServer.start()) {
            RedisLink link = Links.open(redis.uri());
            link.pubSub();
            redis.suspend();
            CompletableFuture<Void> closing = CompletableFuture.runAsync(link::close);
            assertThatCode(() -> closing.get(Duration.ofSeconds(15).toSeconds(), TimeUnit.SECONDS))
                    .doesNotThrowAnyException();
            redis.resume();
        }
    }
}
