package dev.jono.e2e.mongo;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.receipt;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.Due;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoFailPoint;
import dev.jono.testkit.server.MongoReplicaSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * MongoDB ends the reads of a collection that is renamed, as when another process deletes the queue. A call that changes
 * something goes on after such a read: nothing it did is in doubt.
 */
@Tag("fault")
@Execution(ExecutionMode.SAME_THREAD) // these share a fail point
class EndedReadsTest {
    private static final int QUERY_PLAN_KILLED = 175;

    private static final MongoReplicaSet SET = MongoFailPoint.replicaSet();

    @AfterAll
    static void stop() {
        SET.close();
    }

    /** Runs a call whose first read is ended. */
    private static <R> R ended(Supplier<R> call) {
        try (MongoFailPoint refusing =
                MongoFailPoint.refusingNext(SET, List.of("find", "aggregate"), QUERY_PLAN_KILLED)) {
            assertThat(refusing).isNotNull();
            return call.get();
        }
    }

    private static RawBackend open(String type) {
        return RawBackend.open(
                type + ":" + SET.uri("jono_test_" + UUID.randomUUID().toString().substring(0, 13)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo", "bucket-mongo-safe"})
    void callsWithoutReservationsContinue(String type) {
        try (RawBackend backend = open(type)) {
            QueueStore orders = backend.store();
            backend.insert("first");
            assertThat(ended(() -> backend.take(1))).containsExactly("first");
            ended(() -> backend.insert("a", "b", "c", "d"));
            List<StoredMessage> taken =
                    ended(() -> got(orders.take(RawBackend.claiming(2)))).messages();
            assertThat(taken).hasSize(2);
            ended(() -> got(orders.restore(
                    RestoreRequest.builder().messages(taken).token(token()).build())));
            assertThat(ended(() -> backend.take(3))).containsExactly("a", "b", "c");
            String id = backend.insert("e").items().get(0).id();
            ended(() -> got(orders.remove(RemoveRequest.builder()
                    .ids(List.of(String.valueOf(id)))
                    .token(token())
                    .build())));
            assertThat(ended(() -> got(orders.purge()))).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo-safe"})
    void callsWithReservationsContinue(String type) {
        try (RawBackend backend = open(type)) {
            QueueStore orders = backend.store();
            backend.insert("a", "b", "c");
            ClaimRequest all = RawBackend.claiming(10);
            List<StoredMessage> held = ended(() -> got(orders.claim(all))).messages();
            assertThat(held).hasSize(3);
            assertThat(ended(() -> got(orders.ack(acking(held.get(0))))).outcomes())
                    .containsExactly(Outcome.DONE);
            ReleaseRequest release = ReleaseRequest.builder()
                    .items(List.of(ReleaseRequest.Item.of(receipt(held.get(1)), Due.now(), true)))
                    .token(token())
                    .build();
            assertThat(ended(() -> got(orders.release(release))).outcomes()).containsExactly(Outcome.DONE);
        }
    }
}
