package dev.jono.jobs.redis;

import static dev.jono.testkit.RawBackend.got;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.QueueFactory;
import dev.jono.StorageException;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredEntry;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What the store keeps in Redis. */
class RedisJobLayoutTest extends StoreOnRedis {
    private static final String TYPES = "jono:jobs:types";
    private static final String RECORDS = "jono:jobs:record:{jobs:resize}";
    private static final String ENDS = "jono:jobs:end:{jobs:resize}";

    @Test
    void recordIsOneTextWithItsEntriesInListsOfItsType() {
        write(change("resize:1-a", RecordState.OPEN)
                .tags(Set.of("eu"))
                .keepMillis(60_000L)
                .logLines(List.of(line(1))));
        assertThat(keys())
                .containsExactly(
                        ENDS,
                        "jono:jobs:list:{jobs:resize}:0",
                        "jono:jobs:log:{jobs:resize}:1-a",
                        RECORDS,
                        "jono:jobs:tag:{jobs:resize}",
                        TYPES);
        String text = String.valueOf(redis.call("HGET", RECORDS, "1-a"));
        assertThat(text).matches("0 1 00\\d{13} 00\\d{13} 6 eu\n\\{\"v\":1}");
        String changed = text.substring(4, 19);
        assertThat(members("jono:jobs:list:{jobs:resize}:0")).containsExactly(changed + "1-a");
        assertThat(members("jono:jobs:tag:{jobs:resize}")).containsExactly("0eu," + changed + "1-a");
        assertThat(members(ENDS)).containsExactly("1-a");
        assertThat(members(TYPES)).containsExactly("resize");
        assertThat(redis.callForList("LRANGE", "jono:jobs:log:{jobs:resize}:1-a", "0", "-1"))
                .map(String::valueOf)
                .containsExactly("1700000000001 1 line 1");
    }

    private List<String> members(String key) {
        return redis.callForList("ZRANGE", key, "0", "-1").stream()
                .map(String::valueOf)
                .toList();
    }

    @Test
    void eventsAreAStreamWhileAProcessReads() {
        got(store.appendEvents("a", List.of("nobody reads it")));
        assertThat(keys()).isEmpty();
        got(store.listenToEvents("r", 60_000));
        got(store.appendEvents("a", List.of("{}")));
        assertThat(keys()).containsExactly("jono:jobs:events:{jobs}", "jono:jobs:readers:{jobs}");
        assertThat(redis.call("XLEN", "jono:jobs:events:{jobs}")).isEqualTo(1L);
        assertThat(members("jono:jobs:readers:{jobs}")).containsExactly("r");
        got(store.listenToEvents("r", 0));
        assertThat(keys()).containsExactly("jono:jobs:events:{jobs}");
    }

    @Test
    void changeOfARecordLeavesNothingOfTheOldOne() {
        write(change("resize:1", RecordState.OPEN).tags(Set.of("eu", "big")).keepMillis(60_000L));
        write(change("resize:1", RecordState.SUCCEEDED).tags(Set.of("us")));
        assertThat(keys())
                .containsExactly("jono:jobs:list:{jobs:resize}:2", RECORDS, "jono:jobs:tag:{jobs:resize}", TYPES);
        assertThat(members("jono:jobs:tag:{jobs:resize}")).hasSize(1);
    }

    @Test
    void jobThatWasRemovedLeavesNothing() throws Exception {
        JobType<String, String> type = JobType.of("resize", String.class).returning(String.class);
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri())) {
            Jobs jobs = Jobs.on(jono);
            JobRunner runner = jobs.runner()
                    .handle(type, (file, run) -> {
                        run.progress(1, 2);
                        run.log("loaded {}", file);
                        return file;
                    })
                    .start();
            JobHandle<String> job = jobs.enqueue(type, "a.png", o -> o.tag("eu"));
            assertThat(job.await(Duration.ofSeconds(20))).isEqualTo("a.png");
            runner.stop(Duration.ofSeconds(20));
            assertThat(keys())
                    .contains(RECORDS, "jono:jobs:log:{jobs:resize}:" + job.id().substring(7));
            assertThat(jobs.remove(job.id())).isTrue();
        }
        assertThat(keys()).containsExactly(TYPES);
    }

    @Test
    void typeWithoutRecordsIsForgottenWhenNoStoreHasUsedItForMinutes() {
        write(change("resize:1", RecordState.SUCCEEDED));
        write(change("mail:1", RecordState.SUCCEEDED));
        got(store.remove(List.of("resize:1")));
        got(store.expired(10));
        assertThat(members(TYPES)).contains("resize");

        // Eleven minutes ago, as the store sees it.
        redis.call("ZINCRBY", TYPES, "-660", "resize");
        redis.call("ZINCRBY", TYPES, "-660", "mail");
        got(store.expired(10));
        assertThat(members(TYPES)).containsExactly("mail");
        assertThat(got(store.counts())).isEqualTo(Map.of("mail", Map.of(RecordState.SUCCEEDED, 1L)));
    }

    @Test
    void typeIsRegisteredAgainWhileItIsUsed() {
        SettableClock clock = new SettableClock();
        try (JobStore used = new RedisJobStoreProvider()
                .open(PluginConfigs.builder("redis-oq:" + redis.uri())
                        .clock(clock)
                        .build())) {
            List<RecordChange> changes =
                    List.of(change("resize:1", RecordState.OPEN).build());
            got(used.write(changes));
            redis.call("ZADD", TYPES, "1", "resize");
            got(used.write(changes));
            assertThat(redis.call("ZSCORE", TYPES, "resize")).hasToString("1");

            clock.advance(Duration.ofMinutes(2));
            got(used.write(changes));
            Awaitility.await().until(() -> !"1".equals(String.valueOf(redis.call("ZSCORE", TYPES, "resize"))));

            // As if the node with the types were down.
            redis.call("DEL", TYPES);
            redis.call("SET", TYPES, "something");
            clock.advance(Duration.ofMinutes(4));
            assertThat(got(used.write(changes))).containsExactly(WriteOutcome.STORED);
            clock.advance(Duration.ofMinutes(2));
            assertThatThrownBy(() -> got(used.write(changes))).isInstanceOf(StorageException.class);
        }
    }

    @Test
    void recordThatWasDeletedByHandDoesNotHoldUpTheOthers() {
        for (String id : List.of("resize:1", "resize:2")) {
            write(change(id, RecordState.SUCCEEDED).keepMillis(0L));
        }
        redis.call("HDEL", RECORDS, "1");
        assertThat(got(store.expired(10))).extracting(StoredRecord::id).containsExactly("resize:2");
        assertThat(members(ENDS)).containsExactly("2");
    }

    @Test
    void entryIsOneTextWithItsNameInAList() {
        got(store.changeEntries(List.of(new EntryChange("limit", "a", null, "v1", "{}"))));
        got(store.changeEntries(List.of(new EntryChange("limit", "b", null, "v1", "{}"))));
        assertThat(redis.call("HGET", "jono:jobs:entry:{entries:limit}", "a")).hasToString("v1\n{}");
        assertThat(members("jono:jobs:names:{entries:limit}")).containsExactly("a", "b");
        redis.call("HDEL", "jono:jobs:entry:{entries:limit}", "a");
        assertThat(got(store.listEntries("limit", "", 1)).entries())
                .extracting(StoredEntry::name)
                .containsExactly("b");
        assertThat(members("jono:jobs:names:{entries:limit}")).containsExactly("b");
    }

    @Test
    void idWithoutItsTypeIsRefused() {
        assertThatThrownBy(() -> write(change("resize:1", RecordState.OPEN).type("mail")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("resize:1");
        assertThatThrownBy(() -> got(store.read(List.of("resize"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("resize");
    }
}
