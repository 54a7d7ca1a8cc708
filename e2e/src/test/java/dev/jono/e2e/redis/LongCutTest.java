package dev.jono.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A long call needs several scripts. Wherever their replies are cut, each message arrives once and in order. */
@Tag("fault")
class LongCutTest extends ProxiedCase {
    private static final List<String> LIST =
            IntStream.range(0, 250).mapToObj(i -> i + "x".repeat(100)).toList();

    private MessageQueue<String> behindProxy(String backend) {
        MessageQueue<String> orders = orders(proxied(backend));
        assertThat(orders.totalSize()).isZero();
        return orders;
    }

    private MessageQueue<String> straight(String backend) {
        return orders(backend + ":" + redis.uri());
    }

    private static List<String> popped(MessageQueue<String> queue) throws InterruptedException {
        List<String> all = new ArrayList<>();
        while (all.size() < LIST.size()) {
            List<Message<String>> some = queue.pop(LIST.size(), Duration.ofSeconds(10));
            assertThat(some).as("behind %d", all.size()).isNotEmpty();
            some.forEach(message -> all.add(message.payload()));
        }
        return all;
    }

    /** A script's reply has some 60 bytes; before a push to a list, Redis is asked for the time. */
    @ParameterizedTest
    @CsvSource({
        "redis-oq, 0", "redis-oq, 30", "redis-oq, 70", "redis-oq, 100", "redis-oq, 150",
        "redis-list, 0", "redis-list, 30", "redis-list, 150", "redis-list, 200", "redis-list, 350"
    })
    void pushIsStoredOnce(String backend, long bytes) throws InterruptedException {
        MessageQueue<String> orders = behindProxy(backend);
        proxy.cutReplyAfter(bytes);
        orders.pushAll(LIST);
        MessageQueue<String> others = straight(backend);
        assertThat(popped(others)).isEqualTo(LIST);
        assertThat(others.totalSize()).isZero();
        assertThat(proxy.cuts()).isEqualTo(1);
    }

    /** A script's reply has some 20,000 bytes. */
    @ParameterizedTest
    @CsvSource({
        "redis-oq, 0",
        "redis-oq, 10000",
        "redis-oq, 25000",
        "redis-oq, 40000",
        "redis-list, 0",
        "redis-list, 10000",
        "redis-list, 25000"
    })
    void popTakesEachOnce(String backend, long bytes) throws InterruptedException {
        MessageQueue<String> orders = behindProxy(backend);
        straight(backend).pushAll(LIST);
        proxy.cutReplyAfter(bytes);
        assertThat(popped(orders)).isEqualTo(LIST);
        assertThat(orders.totalSize()).isZero();
        assertThat(proxy.cuts()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 10_000, 30_000, 50_000})
    void reserveAndAckHoldEachOnce(long bytes) throws InterruptedException {
        MessageQueue<String> orders = behindProxy("redis-oq");
        straight("redis-oq").pushAll(LIST);
        proxy.cutReplyAfter(bytes);
        List<Reservation<String>> held = new ArrayList<>();
        while (held.size() < LIST.size()) {
            List<Reservation<String>> some = orders.reserve(LIST.size(), Duration.ofSeconds(10));
            assertThat(some).as("behind %d", held.size()).isNotEmpty();
            held.addAll(some);
        }
        assertThat(held).extracting(Reservation::payload).containsExactlyElementsOf(LIST);
        assertThat(proxy.cuts()).isEqualTo(1);
        proxy.cutReplyAfter(40);
        orders.ackAll(held);
        assertThat(orders.totalSize()).isZero();
    }
}
