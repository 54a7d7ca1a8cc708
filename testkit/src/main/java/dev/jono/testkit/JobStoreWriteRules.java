package dev.jono.testkit;

import static dev.jono.testkit.StoreCase.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes of records, and the writes that a store refuses. */
abstract class JobStoreWriteRules extends JobStoreCase {
    JobStoreWriteRules(Supplier<ContractSetup> opener, UnaryOperator<JobStore> wrapper) {
        super(opener, wrapper);
    }

    @Test
    void recordIsReadAsItWasWritten() {
        String document = "{\"text\":\"ä€\\u0000 \\\"quoted\\\"\",\"n\":1}";
        assertThat(write(change("resize:1", RecordState.OPEN, 3).document(document)))
                .isEqualTo(WriteOutcome.STORED);
        StoredRecord record = stored("resize:1");
        assertThat(record.type()).isEqualTo("resize");
        assertThat(record.state()).isEqualTo(RecordState.OPEN);
        assertThat(record.attempt()).isEqualTo(3);
        assertThat(record.document()).isEqualTo(document);
        assertThat(record.keepUntilMillis()).isNull();
        assertThat(read("resize:2")).isNull();
    }

    @Test
    void otherClientsReadIt() {
        write(change("resize:1", RecordState.SUCCEEDED));
        assertThat(got(store(client()).read(List.of("resize:1", "resize:2")))).containsOnlyKeys("resize:1");
    }

    @Test
    void laterRunReplacesTheRecordOfAnEarlierOne() {
        write(change("resize:1", RecordState.OPEN, 1));
        assertThat(write(change("resize:1", RecordState.OPEN, 2))).isEqualTo(WriteOutcome.STORED);
        assertThat(stored("resize:1").attempt()).isEqualTo(2);
    }

    @Test
    void runThatHasLostItsLeaseChangesNoOpenRecord() {
        write(change("resize:1", RecordState.OPEN, 2));
        assertThat(write(change("resize:1", RecordState.OPEN, 1))).isEqualTo(WriteOutcome.STALE);
        assertThat(stored("resize:1").document()).contains("\"run\":2");
    }

    /** The first of two runs to end wins, even if it has lost its lease. */
    @Test
    void runThatHasLostItsLeaseMayEndTheJobFirst() {
        write(change("resize:1", RecordState.OPEN, 2));
        assertThat(write(change("resize:1", RecordState.SUCCEEDED, 1))).isEqualTo(WriteOutcome.STORED);
        assertThat(write(change("resize:1", RecordState.SUCCEEDED, 2))).isEqualTo(WriteOutcome.ENDED);
        assertThat(stored("resize:1").attempt()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = "OPEN", mode = EnumSource.Mode.EXCLUDE)
    void recordOfAnEndedJobIsNeverChanged(RecordState ended) {
        write(change("resize:1", ended));
        for (RecordState state : RecordState.values()) {
            assertThat(write(change("resize:1", state, 9))).as("%s", state).isEqualTo(WriteOutcome.ENDED);
        }
        assertThat(stored("resize:1").state()).isEqualTo(ended);
    }

    @Test
    void onlyAFailedJobIsReopened() {
        assertThat(write(change("resize:1", RecordState.OPEN, 0).reopens(true))).isEqualTo(WriteOutcome.ENDED);
        assertThat(read("resize:1")).isNull();
        write(change("resize:1", RecordState.FAILED, 5).keepMillis(1000L));
        assertThat(write(change("resize:1", RecordState.OPEN, 0).reopens(true))).isEqualTo(WriteOutcome.STORED);
        assertThat(stored("resize:1").state()).isEqualTo(RecordState.OPEN);
        assertThat(stored("resize:1").keepUntilMillis()).isNull();
        assertThat(write(change("resize:1", RecordState.SUCCEEDED, 1))).isEqualTo(WriteOutcome.STORED);
        assertThat(write(change("resize:1", RecordState.OPEN, 0).reopens(true))).isEqualTo(WriteOutcome.ENDED);
    }

    @Test
    void changesOfOneListTakeEffectInTheirOrder() {
        List<RecordChange> changes = List.of(
                change("resize:1", RecordState.OPEN, 1).build(),
                change("resize:1", RecordState.SUCCEEDED, 1).build(),
                change("resize:1", RecordState.FAILED, 1).build(),
                change("resize:2", RecordState.CANCELLED, 1).build());
        assertThat(got(store().write(changes)))
                .containsExactly(WriteOutcome.STORED, WriteOutcome.STORED, WriteOutcome.ENDED, WriteOutcome.STORED);
        assertThat(stored("resize:1").state()).isEqualTo(RecordState.SUCCEEDED);
        assertThat(got(store().write(List.of()))).isEmpty();
        assertThat(got(store().read(List.of()))).isEmpty();
    }

    @Test
    void competingEndsOfOneJobHaveOneWinner() {
        int jobs = 50;
        List<CompletableFuture<List<WriteOutcome>>> all = new ArrayList<>();
        for (int c = 0; c < 4; c++) {
            JobStore store = store(client());
            List<RecordChange> changes = IntStream.range(0, jobs)
                    .mapToObj(i -> change("resize:" + i, RecordState.SUCCEEDED).build())
                    .toList();
            all.add(inBackground(() -> got(store.write(changes))));
        }
        List<WriteOutcome> outcomes =
                all.stream().flatMap(each -> each.join().stream()).toList();
        assertThat(outcomes.stream().filter(WriteOutcome.STORED::equals)).hasSize(jobs);
        assertThat(outcomes.stream().filter(WriteOutcome.ENDED::equals)).hasSize(3 * jobs);
        assertThat(got(store().counts()).get("resize")).containsEntry(RecordState.SUCCEEDED, (long) jobs);
    }
}
