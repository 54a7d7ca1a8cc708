package dev.jono.backend.redisoq;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.inserting;
import static dev.jono.testkit.RawBackend.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.EncodedPayload;
import dev.jono.OutcomeUnknownException;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.RedisKeys;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.RedisCluster;
import dev.jono.testkit.server.RedisServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Names and slots of a Cluster, and replicas that do not confirm. */
@Timeout(120)
@Execution(ExecutionMode.SAME_THREAD) // these share or start servers
class ClusterAndReplicasTest {
    @Test
    void clusterKeepsAQueueInOneSlot() {
        try (RedisCluster cluster = RedisCluster.start();
                RawBackend raw = RawBackend.open("redis-oq:" + cluster.uri())) {
            raw.insert("a");
            RedisServer node = cluster.primaryOf(cluster.slot("{orders}"));
            assertThat(node.call("ZCARD", QueueKeys.INDEX + "{orders}")).isEqualTo(1L);
            got(raw.queue("more").insert(inserting(message("x"))));
            got(raw.queue("{orders}dead").insert(inserting(message("y"))));
            assertThat(got(raw.backend().queues())).containsExactly("more", "orders", "{orders}dead");
            assertThat(got(raw.backend()
                                    .probe(ProbeRequest.builder()
                                            .queues(List.of("orders", "more", "empty"))
                                            .build()))
                            .nextMillis())
                    .containsOnlyKeys("orders", "more");

            assertThat(raw.backend().refuseName("{orders}")).contains("'orders'");
            assertThat(raw.backend().movesAtomically("orders", "{orders}dead")).isTrue();
            assertThat(raw.backend().movesAtomically("orders", "more")).isFalse();
            MoveRequest move = MoveRequest.builder()
                    .items(List.of(MoveItem.builder()
                            .receipt(RawBackend.receipt(raw.claim(1).messages().get(0)))
                            .toQueue("{orders}dead")
                            .build()))
                    .token("t")
                    .build();
            assertThat(got(raw.store().move(move)).outcomes()).containsExactly(Outcome.DONE);
            assertThat(got(raw.queue("{orders}dead").take(RawBackend.claiming(5)))
                            .messages())
                    .extracting(m -> m.payload().text())
                    .containsExactlyInAnyOrder("a", "y");
        }
    }

    private static QueueStore keyedWithOneMessage(RawBackend raw, String name) {
        QueueStore store =
                raw.backend().queue(QueueSpec.builder().name(name).maxPerKey(1).build());
        got(store.insert(inserting(NewMessage.builder()
                .payload(EncodedPayload.of(PayloadKind.STRING, RedisKeys.bytes("a")))
                .headers(PushOptions.none().key("k").headers())
                .build())));
        return store;
    }

    private static StoredMessage claimed(QueueStore store) {
        return got(store.claim(RawBackend.claiming(1))).messages().get(0);
    }

    /** How many commands a node has refused because their keys were not all there. */
    private static int refusals(RedisServer node) {
        String count = node.info("errorstat_TRYAGAIN").replace("count=", "");
        return count.isEmpty() ? 0 : Integer.parseInt(count);
    }

    /** Redis would refuse the call inside a script that finds a key gone, and what the script did before would stay. */
    @Test
    void scriptsThatEmptyKeysWaitWhileTheirSlotMoves() {
        try (RedisCluster cluster = RedisCluster.start();
                RawBackend raw = RawBackend.open("redis-oq:" + cluster.uri() + "?jono.timeout=20s")) {
            QueueStore acked = keyedWithOneMessage(raw, "{orders}acked");
            QueueStore extended = keyedWithOneMessage(raw, "{orders}extended");
            QueueStore purged = keyedWithOneMessage(raw, "{orders}purged");
            SettleRequest acks = acking(claimed(acked));
            ExtendRequest extends60 = ExtendRequest.builder()
                    .receipts(List.of(RawBackend.receipt(claimed(extended))))
                    .leaseMillis(60_000)
                    .token(RawBackend.token())
                    .build();
            int slot = cluster.slot("{orders}");
            RedisServer from = cluster.primaryOf(slot);
            Runnable move = cluster.beginMove(slot, cluster.primaryOf((slot + 8000) % 16384));

            CompletableFuture<SettleResult> ack = acked.ack(acks).toCompletableFuture();
            CompletableFuture<SettleResult> extend = extended.extend(extends60).toCompletableFuture();
            CompletableFuture<Long> purge = purged.purge().toCompletableFuture();
            Awaitility.await().until(() -> refusals(from) >= 3);
            assertThat(List.of(ack, extend, purge)).noneMatch(CompletableFuture::isDone);

            move.run();
            assertThat(got(ack).outcomes()).containsExactly(Outcome.DONE);
            assertThat(got(extend).outcomes()).containsExactly(Outcome.DONE);
            assertThat(got(purge)).isEqualTo(1);
        }
    }

    @Test
    void pushThatNoReplicaConfirmsIsUnknown() {
        try (RedisServer redis = RedisServer.start();
                RawBackend raw = RawBackend.open("redis-oq:" + redis.uri() + "?jono.replicas=1&jono.timeout=400ms")) {
            assertThatThrownBy(() -> raw.insert("a"))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("0 of 1 replicas");
        }
    }

    /** {@code WAIT} blocks its connection, so Jono sends it on a connection of its own. */
    @Test
    void pushThatWaitsForReplicasDelaysNoOtherCall() {
        try (RedisServer redis = RedisServer.start();
                RawBackend raw = RawBackend.open("redis-oq:" + redis.uri() + "?jono.replicas=1&jono.timeout=4s")) {
            CompletableFuture<?> push =
                    raw.store().insert(inserting(message("a"))).toCompletableFuture();
            assertThat(got(raw.store().counts(CountsRequest.builder().build()))).isNotNull();
            Awaitility.await().until(() -> !raw.claim(1).messages().isEmpty());
            assertThat(push).isNotDone();
            assertThatThrownBy(() -> got(push)).isInstanceOf(OutcomeUnknownException.class);
        }
    }
}
