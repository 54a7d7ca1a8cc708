package dev.jono.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Message;
import dev.jono.MessageQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of an abandoned connection may reach Redis long after the repeated call is answered. */
@Tag("fault")
class LateBytesTest extends ProxiedCase {
    /** More calls than the number of answered calls that Redis is asked to remember. */
    private static final int LATER = 40;

    private MessageQueue<String> hasty(String backend) {
        return orders(proxied(backend) + "?jono.timeout=2s");
    }

    /** Delivers the late bytes. The connections end then, because the client has closed them. */
    private void arrive() {
        int connections = proxy.connections();
        proxy.thaw();
        await().until(() -> proxy.connections() < connections);
    }

    private static void stays(MessageQueue<String> queue, long size) {
        await().during(Duration.ofMillis(500)).until(() -> queue.totalSize() == size);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void pushIsStoredOnce(String backend) throws Exception {
        MessageQueue<String> orders = hasty(backend);
        orders.push("first");
        proxy.freeze();
        orders.pushAsync("late").get(30, TimeUnit.SECONDS);
        for (int i = 0; i < LATER; i++) {
            orders.push("later");
        }
        arrive();
        stays(orders, LATER + 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void popTakesOnce(String backend) throws Exception {
        MessageQueue<String> orders = hasty(backend);
        for (int i = 0; i < LATER + 10; i++) {
            orders.push("m" + i);
        }
        List<Message<String>> got = new ArrayList<>();
        orders.pop(Duration.ZERO).ifPresent(got::add);
        proxy.freeze();
        CompletableFuture<Optional<Message<String>>> late = orders.popAsync(Duration.ofSeconds(30));
        late.get(30, TimeUnit.SECONDS).ifPresent(got::add);
        for (int i = 0; i < LATER; i++) {
            orders.pop(Duration.ZERO).ifPresent(got::add);
        }
        arrive();
        assertThat(got).hasSize(LATER + 2);
        stays(orders, 8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void popThatFoundNothingTakesNothing(String backend) throws Exception {
        MessageQueue<String> orders = hasty(backend);
        assertThat(orders.pop(Duration.ZERO)).isEmpty();
        proxy.freeze();
        assertThat(orders.popAsync(Duration.ZERO).get(30, TimeUnit.SECONDS)).isEmpty();
        for (int i = 0; i < LATER; i++) {
            orders.push("later");
        }
        arrive();
        stays(orders, LATER);
    }

    @Test
    void reserveThatFoundNothingHoldsNothing() throws Exception {
        MessageQueue<String> orders = hasty("redis-oq");
        assertThat(orders.reserve(Duration.ZERO)).isEmpty();
        proxy.freeze();
        assertThat(orders.reserveAsync(Duration.ZERO).get(30, TimeUnit.SECONDS)).isEmpty();
        orders.push("later");
        arrive();
        await().during(Duration.ofMillis(500)).until(() -> orders.size() == 1);
    }

    /** Three scripts, of which the last finds nothing. */
    @Test
    void popOfManyTakesNoMoreThanItGot() throws Exception {
        MessageQueue<String> orders = hasty("redis-oq");
        orders.pushAll(Collections.nCopies(450, "early"));
        assertThat(orders.pop(300, Duration.ZERO)).hasSize(300);
        proxy.freeze();
        int got = orders.popAsync(300, Duration.ZERO).get(30, TimeUnit.SECONDS).size();
        orders.pushAll(Collections.nCopies(100, "later"));
        arrive();
        assertThat(got).isPositive();
        stays(orders, 250 - got);
    }
}
