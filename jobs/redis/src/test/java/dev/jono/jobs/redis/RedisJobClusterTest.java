package dev.jono.jobs.redis;

import static dev.jono.testkit.RawBackend.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.testkit.server.RedisCluster;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Slots of a Cluster. */
@Tag("fault")
class RedisJobClusterTest {
    @Test
    void recordsAreInTheSlotOfTheQueuesOfTheirType() {
        try (RedisCluster cluster = RedisCluster.start();
                JobStore store = StoreOnRedis.store("redis-oq:" + cluster.uri())) {
            List<RecordChange> changes = IntStream.range(0, 30)
                    .mapToObj(i -> StoreOnRedis.change("type" + i + ":1", RecordState.SUCCEEDED)
                            .logLines(List.of(StoreOnRedis.line(i)))
                            .keepMillis(0L)
                            .build())
                    .toList();
            got(store.write(changes));
            for (RecordChange change : changes) {
                String tag = "{jobs:" + change.type() + "}";
                assertThat(cluster.primaryOf(cluster.slot(tag + ":normal"))
                                .call("EXISTS", "jono:jobs:record:" + tag, "jono:jobs:log:" + tag + ":1"))
                        .isEqualTo(2L);
            }
            assertThat(got(store.counts())).hasSize(30);
            assertThat(got(store.expired(20))).hasSize(20);
            List<String> ids = changes.stream().map(RecordChange::id).toList();
            assertThat(got(store.removeExpired(ids))).hasSize(30).doesNotContain(false);
            assertThat(got(store.counts())).isEmpty();
        }
    }
}
