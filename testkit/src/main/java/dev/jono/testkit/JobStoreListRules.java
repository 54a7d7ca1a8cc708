package dev.jono.testkit;

import static dev.jono.testkit.StoreCase.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordQuery;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists, counts, logs, tags and retention of records. */
abstract class JobStoreListRules extends JobStoreCase {
    JobStoreListRules(Supplier<ContractSetup> opener, UnaryOperator<JobStore> wrapper) {
        super(opener, wrapper);
    }

    private static LogLine line(int number) {
        return new LogLine(1_700_000_000_000L + number, 1, "line " + number);
    }

    @Test
    void logIsAddedToAndReadFromItsEnd() {
        write(change("resize:1", RecordState.OPEN).logLines(List.of(line(1), line(2))));
        write(change("resize:1", RecordState.OPEN).logLines(List.of(line(3))));
        assertThat(got(store().log("resize:1", 10))).containsExactly(line(1), line(2), line(3));
        assertThat(got(store().log("resize:1", 2))).containsExactly(line(2), line(3));
        assertThat(got(store().log("resize:2", 10))).isEmpty();
    }

    @Test
    void refusedChangeAddsNoLines() {
        write(change("resize:1", RecordState.SUCCEEDED).logLines(List.of(line(1))));
        write(change("resize:1", RecordState.OPEN, 2).logLines(List.of(line(2))));
        assertThat(got(store().log("resize:1", 10))).containsExactly(line(1));
    }

    @Test
    void logKeepsTheLastThousandLines() {
        for (int from = 0; from < 1500; from += 500) {
            write(change("resize:1", RecordState.OPEN)
                    .logLines(IntStream.range(from, from + 500)
                            .mapToObj(JobStoreListRules::line)
                            .toList()));
        }
        List<LogLine> lines = got(store().log("resize:1", 2000));
        assertThat(lines).hasSize(1000);
        assertThat(lines.get(0)).isEqualTo(line(500));
        assertThat(lines.get(999)).isEqualTo(line(1499));
    }

    @Test
    void logKeepsTheLast256KiB() {
        String text = "€".repeat(10_000); // 30,000 bytes
        for (int i = 0; i < 12; i++) {
            write(change("resize:1", RecordState.OPEN).logLines(List.of(new LogLine(i, 1, text))));
        }
        List<LogLine> lines = got(store().log("resize:1", 100));
        assertThat(lines).extracting(LogLine::timeMillis).containsExactly(4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
    }

    @Test
    void countsAreThoseOfTheRecords() {
        assertThat(got(store().counts())).isEmpty();
        write(change("resize:1", RecordState.OPEN));
        write(change("resize:2", RecordState.OPEN));
        write(change("resize:2", RecordState.SUCCEEDED));
        write(change("resize:3", RecordState.FAILED));
        write(change("resize:3", RecordState.SUCCEEDED));
        write(change("mail:1", RecordState.CANCELLED).type("mail"));
        assertThat(got(store().counts()))
                .isEqualTo(Map.of(
                        "resize",
                        Map.of(RecordState.OPEN, 1L, RecordState.SUCCEEDED, 1L, RecordState.FAILED, 1L),
                        "mail",
                        Map.of(RecordState.CANCELLED, 1L)));
        got(store().remove(List.of("resize:1", "resize:2", "mail:1")));
        assertThat(got(store().counts())).isEqualTo(Map.of("resize", Map.of(RecordState.FAILED, 1L)));
    }

    @Test
    void removedRecordLeavesNothing() {
        write(change("resize:1", RecordState.SUCCEEDED)
                .logLines(List.of(line(1)))
                .tags(Set.of("eu"))
                .keepMillis(1L));
        assertThat(got(store().remove(List.of("resize:1", "resize:2")))).containsExactly(true, false);
        assertThat(got(store().remove(List.of("resize:1")))).containsExactly(false);
        assertThat(read("resize:1")).isNull();
        assertThat(got(store().log("resize:1", 10))).isEmpty();
        assertThat(find(RecordState.SUCCEEDED, "eu", null, 10)).isEmpty();
        pass(seconds(2));
        assertThat(got(store().expired(10))).isEmpty();
    }

    @Test
    void recordsWhoseTimeIsOverAreListed() {
        long second = seconds(1).toMillis();
        write(change("resize:1", RecordState.SUCCEEDED).keepMillis(20 * second));
        write(change("resize:2", RecordState.FAILED).keepMillis(10 * second));
        write(change("resize:3", RecordState.OPEN));
        StoredRecord kept = stored("resize:1");
        assertThat(kept.keepUntilMillis()).isEqualTo(kept.changedMillis() + 20 * second);
        assertThat(got(store().expired(10))).isEmpty();
        pass(seconds(15));
        assertThat(got(store().expired(10))).extracting(StoredRecord::id).containsExactly("resize:2");
        pass(seconds(10));
        assertThat(got(store().expired(10))).extracting(StoredRecord::id).containsExactly("resize:2", "resize:1");
        assertThat(got(store().expired(1))).extracting(StoredRecord::id).containsExactly("resize:2");
    }

    @Test
    void onlyWhatIsOverAtThatMomentIsRemovedOrPostponed() {
        long second = seconds(1).toMillis();
        for (String id : List.of("resize:1", "resize:2", "resize:3")) {
            write(change(id, RecordState.FAILED).keepMillis(2 * second));
        }
        write(change("resize:4", RecordState.OPEN));
        pass(seconds(4));
        write(change("resize:2", RecordState.OPEN, 0).reopens(true).keepMillis(100 * second));
        got(store().postpone(List.of("resize:3", "resize:4"), 100 * second));
        assertThat(got(store().removeExpired(List.of("resize:1", "resize:2", "resize:3", "resize:4", "resize:5"))))
                .containsExactly(true, false, false, false, false);
        assertThat(read("resize:1")).isNull();
        assertThat(stored("resize:3").state()).isEqualTo(RecordState.FAILED);
        assertThat(stored("resize:4").keepUntilMillis()).isNull();
        assertThat(got(store().expired(10))).isEmpty();
        assertThat(got(store().counts()).get("resize")).containsEntry(RecordState.FAILED, 1L);
    }

    private List<String> find(RecordState state, @Nullable String tag, @Nullable StoredRecord after, int limit) {
        RecordQuery.Position position =
                after == null ? null : new RecordQuery.Position(after.changedMillis(), after.id());
        return got(store().find(new RecordQuery("resize", state, tag, position, limit))).stream()
                .map(StoredRecord::id)
                .toList();
    }

    @Test
    void listsBeginWithTheRecordThatChangedLast() {
        for (int i = 1; i <= 3; i++) {
            write(change("resize:" + i, RecordState.SUCCEEDED).tags(i == 2 ? Set.of("eu", "big") : Set.of("us")));
            pass(seconds(1));
        }
        write(change("resize:4", RecordState.FAILED).tags(Set.of("eu")));
        write(change("mail:5", RecordState.SUCCEEDED).type("mail").tags(Set.of("eu")));
        assertThat(find(RecordState.SUCCEEDED, null, null, 10)).containsExactly("resize:3", "resize:2", "resize:1");
        assertThat(find(RecordState.SUCCEEDED, "eu", null, 10)).containsExactly("resize:2");
        assertThat(find(RecordState.SUCCEEDED, "us", null, 10)).containsExactly("resize:3", "resize:1");
        assertThat(find(RecordState.SUCCEEDED, "us", stored("resize:3"), 10)).containsExactly("resize:1");
        assertThat(find(RecordState.SUCCEEDED, "absent", null, 10)).isEmpty();
        assertThat(find(RecordState.OPEN, null, null, 10)).isEmpty();
    }

    private List<String> oldest(RecordState state, int max) {
        return got(store().oldest("resize", state, max));
    }

    @Test
    void oldestRecordsAreAtTheOtherEndOfTheList() {
        for (int i = 1; i <= 3; i++) {
            write(change("resize:" + i, RecordState.OPEN));
        }
        for (int i = 3; i >= 1; i--) {
            pass(seconds(1));
            write(change("resize:" + i, RecordState.SUCCEEDED).tags(Set.of("eu")));
        }
        write(change("resize:4", RecordState.FAILED));
        write(change("mail:5", RecordState.SUCCEEDED).type("mail"));
        assertThat(oldest(RecordState.SUCCEEDED, 10)).containsExactly("resize:3", "resize:2", "resize:1");
        assertThat(oldest(RecordState.SUCCEEDED, 2)).containsExactly("resize:3", "resize:2");
        assertThat(oldest(RecordState.FAILED, 10)).containsExactly("resize:4");
        assertThat(oldest(RecordState.OPEN, 10)).isEmpty();
        assertThat(got(store().oldest("absent", RecordState.SUCCEEDED, 10))).isEmpty();
        got(store().remove(List.of("resize:3")));
        assertThat(oldest(RecordState.SUCCEEDED, 1)).containsExactly("resize:2");
    }

    /** Also of those that changed at once: else a record that exceeds a number could be a new one. */
    @Test
    void oldestRecordsAreThoseThatListsShowLast() {
        got(store().write(IntStream.range(0, 25)
                .mapToObj(i -> change("resize:" + i, RecordState.SUCCEEDED).build())
                .toList()));
        List<String> listed = new ArrayList<>(find(RecordState.SUCCEEDED, null, null, 100));
        Collections.reverse(listed);
        assertThat(oldest(RecordState.SUCCEEDED, 100)).isEqualTo(listed);
        assertThat(oldest(RecordState.SUCCEEDED, 10)).isEqualTo(listed.subList(0, 10));
    }

    @Test
    void pagesHaveEachRecordOnceThoughManyChangedAtOnce() {
        List<RecordChange> changes = IntStream.range(0, 25)
                .mapToObj(i -> change("resize:" + i, RecordState.SUCCEEDED)
                        .tags(Set.of("all"))
                        .build())
                .toList();
        got(store().write(changes));
        for (String tag : Arrays.asList(null, "all")) {
            List<String> seen = new ArrayList<>();
            StoredRecord last = null;
            for (List<String> page = find(RecordState.SUCCEEDED, tag, last, 4);
                    !page.isEmpty();
                    page = find(RecordState.SUCCEEDED, tag, last, 4)) {
                seen.addAll(page);
                last = stored(page.get(page.size() - 1));
            }
            assertThat(seen).hasSize(25).doesNotHaveDuplicates();
        }
    }

    @Test
    void tagsFollowTheRecord() {
        write(change("resize:1", RecordState.OPEN).tags(Set.of("old", "both")));
        write(change("resize:1", RecordState.SUCCEEDED).tags(Set.of("both", "new")));
        assertThat(find(RecordState.SUCCEEDED, "both", null, 10)).containsExactly("resize:1");
        assertThat(find(RecordState.SUCCEEDED, "new", null, 10)).containsExactly("resize:1");
        assertThat(find(RecordState.SUCCEEDED, "old", null, 10)).isEmpty();
        assertThat(find(RecordState.OPEN, "both", null, 10)).isEmpty();
    }
}
