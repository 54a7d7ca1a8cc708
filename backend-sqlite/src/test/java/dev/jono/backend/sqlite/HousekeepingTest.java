package dev.jono.backend.sqlite;

import static dev.jono.backend.sqlite.Fixture.counts;
import static dev.jono.backend.sqlite.Fixture.got;
import static dev.jono.backend.sqlite.Fixture.insert;
import static dev.jono.backend.sqlite.Fixture.open;
import static dev.jono.backend.sqlite.Fixture.queue;
import static dev.jono.backend.sqlite.Fixture.take;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.JonoClock;
import dev.jono.spi.Backend;
import dev.jono.spi.Counter;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.StatsStore;
import dev.jono.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Time, history and counters in the file, and probes of many queues. */
class HousekeepingTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() throws Exception {
        file = directory.toRealPath().resolve("queues.db");
    }

    /** A clock whose wall time differs from another clock's by a duration. */
    private record ShiftedClock(JonoClock clock, Duration shift) implements JonoClock {
        @Override
        public long wallMillis() {
            return clock.wallMillis() + shift.toMillis();
        }

        @Override
        public long nanos() {
            return clock.nanos();
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            return clock.schedule(delayNanos, task);
        }
    }

    @Test
    void aClockThatWasSetBackDoesNotDelayMessages() {
        long before;
        try (Backend backend = open(file)) {
            insert(queue(backend, "orders"), "a");
            before = counts(queue(backend, "orders")).storageMillis();
        }
        try (Backend backend = open(file, "", new ShiftedClock(JonoClock.system(), Duration.ofHours(-1)))) {
            QueueStore orders = queue(backend, "orders");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> counts(orders).ready() == 1);
            assertThat(counts(orders).storageMillis()).isGreaterThan(before - 2000);
            insert(orders, "b");
            assertThat(Fixture.texts(take(orders, 10).messages())).containsExactly("a", "b");
        }
    }

    @Test
    void historyIsKeptThenHiddenThenDeleted() throws Exception {
        SettableClock clock = new SettableClock();
        try (Backend backend = open(file, "?jono.history=1h", clock)) {
            QueueStore orders = queue(backend, "orders");
            QueueStore brief = backend.queue(
                    QueueSpec.builder().name("brief").historyMillis(60_000).build());
            insert(orders, "a");
            insert(brief, "b");
            take(orders, 1);
            take(brief, 1);
            assertThat(counts(orders).history()).isEqualTo(1);
            assertThat(counts(brief).history()).isEqualTo(1);
            clock.advance(Duration.ofMinutes(2));
            assertThat(counts(orders).history()).isEqualTo(1);
            assertThat(counts(brief).history()).isZero();
            clock.advance(Duration.ofHours(1));
            insert(orders, "c");
            Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> historyRows(backend) == 0);
        }
    }

    private static long historyRows(Backend backend) {
        return got(Fixture.file(backend)
                .read(Fixture.EXECUTOR, connection -> connection.queryNumber("SELECT count(*) FROM history")));
    }

    @Test
    void countersAndPausedFlagsAreSharedByNamespace() {
        try (StatsStore stats = new SqliteStatsProvider().open(Fixture.config("sqlite:" + file, JonoClock.system()));
                StatsStore same =
                        new SqliteStatsProvider().open(Fixture.config("sqlite:" + file, JonoClock.system()))) {
            got(stats.add(Map.of("orders", Map.of(Counter.PUSHED, 3L, Counter.ACKED, 1L))));
            got(stats.add(Map.of("orders", Map.of(Counter.PUSHED, 2L))));
            assertThat(got(same.read("orders")))
                    .containsEntry(Counter.PUSHED, 5L)
                    .containsEntry(Counter.ACKED, 1L);
            got(stats.setPaused("orders", true));
            got(stats.setPaused("orders", true));
            assertThat(got(same.paused(List.of("orders", "mails")))).containsExactly("orders");
            got(stats.clear("orders"));
            assertThat(got(same.read("orders"))).isEmpty();
            assertThat(got(same.queues())).isEqualTo(Set.of("orders"));
            got(same.setPaused("orders", false));
            assertThat(got(stats.paused(List.of("orders")))).isEmpty();
        }
    }

    @Test
    void aProbeOfThousandsOfQueuesFindsTheFewWithMessages() {
        try (Backend backend = open(file)) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                names.add("queue" + i);
            }
            insert(queue(backend, "queue17"), "a");
            insert(queue(backend, "queue2001"), "a");
            insert(queue(backend, "queue2002"), "a");
            Fixture.claim(queue(backend, "queue2001"), 1);
            take(queue(backend, "queue2002"), 1);
            Map<String, Long> found = new HashMap<>(
                    got(backend.probe(ProbeRequest.builder().queues(names).build()))
                            .nextMillis());
            assertThat(found).containsOnlyKeys("queue17", "queue2001").containsEntry("queue17", 0L);
            assertThat(found.get("queue2001")).isBetween(1L, 30_000L);
            Map<String, Long> few = got(backend.probe(ProbeRequest.builder()
                            .queues(List.of("queue17", "queue3"))
                            .build()))
                    .nextMillis();
            assertThat(few).containsEntry("queue17", 0L);
        }
    }
}
