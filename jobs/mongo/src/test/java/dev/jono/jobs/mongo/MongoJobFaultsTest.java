package dev.jono.jobs.mongo;

import static dev.jono.jobs.mongo.Stores.change;
import static dev.jono.jobs.mongo.Stores.got;
import static dev.jono.jobs.mongo.Stores.stored;
import static dev.jono.jobs.mongo.Stores.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.OutcomeUnknownException;
import dev.jono.QueueFactory;
import dev.jono.StorageException;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.testkit.server.MongoFailPoint;
import dev.jono.testkit.server.MongoReplicaSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Writes of records whose answers are lost, or that the server refuses. */
@Tag("fault")
@Execution(ExecutionMode.SAME_THREAD) // each has a server of its own
class MongoJobFaultsTest {
    private static final LogLine LINE = new LogLine(1, 1, "a line");

    private static QueueFactory connect(MongoReplicaSet set) {
        return QueueFactory.connect("mongo:" + set.uri("jono"));
    }

    /** The transaction is committed by one of the calls, and its session is not left open. */
    @Test
    void repeatedWriteMeetsTheRecordOfTheFirstOne() {
        try (MongoReplicaSet set = MongoFailPoint.replicaSet();
                QueueFactory jono = connect(set);
                JobStore store = Stores.on(jono)) {
            write(store, change("resize:0", RecordState.OPEN));
            try (MongoFailPoint lost = MongoFailPoint.unconfirmed(set, "commitTransaction", 2)) {
                assertThat(lost).isNotNull();
                assertThatThrownBy(() -> write(
                                store, change("resize:1", RecordState.FAILED).logLines(List.of(LINE))))
                        .hasCauseInstanceOf(OutcomeUnknownException.class)
                        .hasMessageContaining("writing records");
            }
            assertThat(write(store, change("resize:1", RecordState.FAILED).logLines(List.of(LINE))))
                    .isEqualTo(WriteOutcome.ENDED);
            assertThat(got(store.log("resize:1", 10))).containsExactly(LINE);
            assertThat(got(store.counts()).get("resize"))
                    .isEqualTo(Map.of(RecordState.OPEN, 1L, RecordState.FAILED, 1L));
        }
    }

    /** A commit that never reaches the server leaves its transaction open there. */
    @Test
    void transactionThatStayedOpenDoesNotBlockTheRepeatedWrite() {
        int hostUnreachable = 6;
        try (MongoReplicaSet set = MongoFailPoint.replicaSet();
                QueueFactory jono = connect(set);
                JobStore store = Stores.on(jono)) {
            write(store, change("resize:0", RecordState.OPEN));
            try (MongoFailPoint refused = MongoFailPoint.refusing(set, "commitTransaction", 0, hostUnreachable)) {
                assertThat(refused).isNotNull();
                assertThatThrownBy(() -> write(store, change("resize:1", RecordState.SUCCEEDED)))
                        .hasCauseInstanceOf(OutcomeUnknownException.class);
                assertThatThrownBy(() -> write(store, change("resize:2", RecordState.SUCCEEDED)))
                        .hasCauseInstanceOf(StorageException.class)
                        .hasMessageContaining("in doubt");
            }
            assertThat(write(store, change("resize:1", RecordState.SUCCEEDED))).isEqualTo(WriteOutcome.ENDED);
            assertThat(got(store.counts()).get("resize"))
                    .isEqualTo(Map.of(RecordState.OPEN, 1L, RecordState.SUCCEEDED, 1L));
        }
    }

    @Test
    void refusedCountLeavesTheRecordAsItWas() {
        int illegalOperation = 20;
        try (MongoReplicaSet set = MongoFailPoint.replicaSet();
                QueueFactory jono = connect(set);
                JobStore store = Stores.on(jono)) {
            write(store, change("resize:1", RecordState.OPEN));
            try (MongoFailPoint refused = MongoFailPoint.refusing(set, "update", 1, illegalOperation)) {
                assertThat(refused).isNotNull();
                assertThatThrownBy(() -> write(
                                store, change("resize:1", RecordState.FAILED).logLines(List.of(LINE))))
                        .hasCauseInstanceOf(StorageException.class);
            }
            assertThat(stored(store, "resize:1").state()).isEqualTo(RecordState.OPEN);
            assertThat(got(store.log("resize:1", 10))).isEmpty();
            assertThat(got(store.counts())).isEqualTo(Map.of("resize", Map.of(RecordState.OPEN, 1L)));
        }
    }
}
