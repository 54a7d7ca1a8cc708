package dev.jono.backend.sqlite;

import static dev.jono.backend.sqlite.Fixture.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a queue with ordering keys keeps in the file. */
class KeyedLayoutTest {
    private static final int KEYS = 50_000;
    private static final int IN_FLIGHT = 1000;

    @TempDir
    Path directory;

    @Test
    void keysThatAppearAndVanishLeaveNothing() throws Exception {
        Path file = directory.toRealPath().resolve("queues.db");
        try (QueueFactory jono = QueueFactory.connect("sqlite:" + file)) {
            MessageQueue<String> queue = jono.queue(
                    "orders", Codec.string(), QueueOptions.builder().keyed().build());
            for (int first = 0; first < KEYS; first += IN_FLIGHT) {
                List<CompletableFuture<?>> pushed = new ArrayList<>();
                for (int i = first; i < first + IN_FLIGHT; i++) {
                    pushed.add(queue.pushAsync("x", PushOptions.none().key("k" + i)));
                }
                CompletableFuture.allOf(pushed.toArray(CompletableFuture[]::new))
                        .join();
            }
            assertThat(ask(file, "SELECT count(DISTINCT key) FROM message")).isEqualTo(String.valueOf(KEYS));
            for (int left = KEYS; left > 0; ) {
                List<Reservation<String>> held = queue.reserve(1000, Duration.ofSeconds(10));
                queue.ackAll(held);
                left -= held.size();
            }
            assertThat(queue.totalSize()).isZero();
            queue.delete();
        }
        for (String table : List.of("queue", "message", "history", "unique_key", "paused")) {
            assertThat(ask(file, "SELECT count(*) FROM " + table)).as(table).isEqualTo("0");
        }
    }
}
