package dev.jono.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.testkit.server.TcpProxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;

/** Consumers that only a signal can wake during a test. */
public final class Waits {
    /** How long something may take that takes milliseconds. */
    public static final Duration SOON = Duration.ofSeconds(40);
    /** Longer than a test. */
    public static final Duration LONG = Duration.ofMinutes(10);

    private Waits() {}

    /** A poll interval that does not end during a test. */
    public static QueueOptions options() {
        return QueueOptions.builder().pollInterval(LONG).build();
    }

    /** A pop that waits. */
    public static CompletableFuture<Optional<Message<String>>> pop(QueueFactory of, String queue) {
        return of.queue(queue, Codec.string()).popAsync(LONG);
    }

    /** Checks that a pop gets a message soon. */
    public static void assertGets(CompletableFuture<Optional<Message<String>>> pop, String payload) {
        assertThat(pop.thenApply(found -> found.map(Message::payload)))
                .succeedsWithin(SOON)
                .isEqualTo(Optional.of(payload));
    }

    /** Waits until all calls are answered, so that no consumer checks the queue by chance at the right moment. */
    public static void awaitQuiet(TcpProxy proxy) {
        AtomicLong before = new AtomicLong(-1);
        Awaitility.await("quiet").atMost(SOON).during(Duration.ofMillis(500)).until(() -> {
            long now = proxy.replyBytes();
            return before.getAndSet(now) == now;
        });
    }
}
