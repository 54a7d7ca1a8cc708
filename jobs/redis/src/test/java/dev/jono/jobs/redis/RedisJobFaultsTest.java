package dev.jono.jobs.redis;

import static dev.jono.testkit.RawBackend.got;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.OutcomeUnknownException;
import dev.jono.QueueClosedException;
import dev.jono.StorageException;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.testkit.server.TcpProxy;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Faults of Redis and of the network, and lists of several scripts. */
class RedisJobFaultsTest extends StoreOnRedis {
    @Test
    void writeWhoseReplyIsLostIsUnknownAndTakesEffectOnce() {
        try (TcpProxy proxy = TcpProxy.to(redis.host(), redis.port());
                JobStore far = store("redis-oq:redis://127.0.0.1:" + proxy.port())) {
            got(far.write(List.of(change("resize:0", RecordState.OPEN).build())));
            for (RecordState state : List.of(RecordState.OPEN, RecordState.SUCCEEDED)) {
                List<RecordChange> write = List.of(change("resize:1", state).build());
                proxy.cutReplyAfter(0);
                assertThatThrownBy(() -> got(far.write(write))).isInstanceOf(OutcomeUnknownException.class);
                assertThat(got(far.write(write)))
                        .containsExactly(state == RecordState.OPEN ? WriteOutcome.STORED : WriteOutcome.ENDED);
            }
            proxy.cutReplyAfter(0);
            assertThat(got(far.read(List.of("resize:1"))))
                    .as("reads are repeated")
                    .hasSize(1);
            assertThat(got(far.counts()))
                    .isEqualTo(Map.of("resize", Map.of(RecordState.OPEN, 1L, RecordState.SUCCEEDED, 1L)));
        }
    }

    @Test
    void fullMemoryRefusesWritesAndLetsRecordsGo() {
        write(change("resize:1", RecordState.FAILED).keepMillis(0L).logLines(List.of(line(1))));
        write(change("resize:2", RecordState.FAILED).keepMillis(0L));
        redis.call("CONFIG", "SET", "maxmemory", "1");
        try {
            RecordChange.Builder reopened =
                    change("resize:1", RecordState.OPEN).reopens(true).logLines(List.of(line(2)));
            assertThatThrownBy(() -> write(reopened))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("OOM");
            assertThat(got(store.log("resize:1", 10))).containsExactly(line(1));
            got(store.postpone(List.of("resize:2"), 60_000));
            assertThat(got(store.removeExpired(List.of("resize:1", "resize:2"))))
                    .containsExactly(true, false);
        } finally {
            redis.call("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void typeThatCannotBeWrittenLeavesTheOthers() {
        redis.call("SET", "jono:jobs:record:{jobs:broken}", "something");
        List<RecordChange> changes = List.of(
                change("resize:1", RecordState.OPEN).build(),
                change("broken:1", RecordState.OPEN).build(),
                change("mail:1", RecordState.OPEN).build());
        assertThatThrownBy(() -> got(store.write(changes)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("WRONGTYPE");
        assertThat(got(store.read(List.of("resize:1", "mail:1")))).hasSize(2);
    }

    @Test
    void longListsKeepTheOrderOfTheChangesOfOneJob() {
        List<RecordChange> changes = IntStream.range(0, 1000)
                .mapToObj(i -> change(i % 3 == 0 ? "resize:0" : "resize:" + i, RecordState.OPEN)
                        .attempt(i)
                        .build())
                .toList();
        assertThat(got(store.write(changes))).hasSize(1000).containsOnly(WriteOutcome.STORED);
        assertThat(got(store.read(List.of("resize:0"))).values())
                .extracting(StoredRecord::attempt)
                .containsExactly(999);
    }

    @Test
    void closedStoreRefuses() {
        JobStore other = store("redis-oq:" + redis.uri());
        other.close();
        other.close();
        assertThatThrownBy(() -> got(other.counts())).isInstanceOf(QueueClosedException.class);
    }
}
