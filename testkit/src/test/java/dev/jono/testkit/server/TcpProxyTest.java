package dev.jono.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("fault")
class TcpProxyTest {
    private final RedisServer server = RedisServer.start();
    private final TcpProxy proxy = TcpProxy.to(server.host(), server.port());

    @AfterEach
    void close() {
        proxy.close();
        server.close();
    }

    private RedisWire connect() throws IOException {
        return new RedisWire("127.0.0.1", proxy.port());
    }

    private static CompletableFuture<@Nullable Object> later(RedisWire wire, String... command) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return wire.call(command);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    @Test
    void passesAllOn() throws IOException {
        try (RedisWire wire = connect()) {
            String large = "x".repeat(1_000_000);
            assertThat(wire.call("SET", "k", large)).isEqualTo("OK");
            assertThat(wire.call("GET", "k")).isEqualTo(large);
            assertThat(proxy.connections()).isEqualTo(1);
            assertThat(proxy.replyBytes()).isGreaterThan(1_000_000);
        }
    }

    @Test
    void cutsAReplyInTheMiddleAfterTheRequestWasCarriedOut() throws IOException {
        try (RedisWire wire = connect()) {
            proxy.cutReplyAfter(2);
            assertThatThrownBy(() -> wire.call("INCR", "n")).isInstanceOf(IOException.class);
            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(server.call("GET", "n")).isEqualTo("1");
        }
        try (RedisWire next = connect()) {
            assertThat(next.call("INCR", "n")).isEqualTo(2L);
        }
    }

    @Test
    void stalledConnectionAnswersWhenItFlows() throws Exception {
        try (RedisWire wire = connect()) {
            wire.call("PING");
            proxy.stall();
            CompletableFuture<@Nullable Object> answer = later(wire, "PING");
            assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            proxy.flow();
            assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo("PONG");
        }
    }

    @Test
    void frozenConnectionsHangAndNewOnesPass() throws Exception {
        try (RedisWire old = connect()) {
            old.call("PING");
            proxy.freeze();
            CompletableFuture<@Nullable Object> answer = later(old, "PING");
            try (RedisWire next = connect()) {
                assertThat(next.call("PING")).isEqualTo("PONG");
            }
            assertThat(answer).isNotDone();
            assertThat(proxy.connections()).isPositive();
        }
    }

    @Test
    void delaysBothWays() throws IOException {
        try (RedisWire wire = connect()) {
            proxy.delay(Duration.ofMillis(100));
            long before = System.nanoTime();
            wire.call("PING");
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(190));
        }
    }

    @Test
    void refusesNewConnectionsAndAcceptsAgain() throws IOException {
        try (RedisWire there = connect()) {
            there.call("PING");
            proxy.refuse();
            assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
            assertThat(there.call("PING")).isEqualTo("PONG");
            proxy.accept();
            connect().close();
            proxy.cutAll();
            assertThatThrownBy(() -> there.call("PING")).isInstanceOf(IOException.class);
            Awaitility.await().until(() -> proxy.connections() == 0);
        }
    }
}
