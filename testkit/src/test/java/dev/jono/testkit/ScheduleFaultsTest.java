package dev.jono.testkit;

import static dev.jono.testkit.StoreCase.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.ScheduleView;
import dev.jono.jobs.memory.MemoryJobStoreProvider;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.JobStore;
import dev.jono.spi.ConnectedFactory;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Schedules whose store fails, and many schedules. */
class ScheduleFaultsTest extends JobCase {
    private static final String EACH_SECOND = "* * * * * *";
    private static final JobType<String, Void> OTHER = JobType.of("other", String.class);

    private final JobFaults faults = new JobFaults();

    ScheduleFaultsTest() {
        super(() -> MemorySetup.fresh().build());
    }

    private Jobs faulty() {
        return faults.jobs(jono());
    }

    private ScheduleView schedule(String name) {
        return faulty().schedule(name, EACH_SECOND, ZoneOffset.UTC, SHOUT, "hello");
    }

    private void watch() {
        start(faulty().runner().handle(OTHER, (text, run) -> null));
    }

    private List<String> occurrences(String schedule) {
        return faulty()
                .find(JobQuery.ofType("shout").tag("schedule:" + schedule).limit(500))
                .jobs()
                .stream()
                .map(JobView::tags)
                .map(Object::toString)
                .toList();
    }

    private Optional<ScheduleView> find(String name) {
        return faulty().schedules().stream()
                .filter(each -> each.name().equals(name))
                .findFirst();
    }

    /** As after a crash of each process that has enqueued a job. */
    @Test
    void jobsThatWereEnqueuedBeforeACrashAreNotEnqueuedAgain() {
        schedule("tick");
        faults.refuse("changeEntries", changes -> true);
        watch();
        passUntil("some attempts", () -> faults.count("changeEntries") >= 8);
        assertThat(find("tick").orElseThrow().last()).isEmpty();
        assertThat(occurrences("tick")).hasSizeGreaterThan(2).doesNotHaveDuplicates();
        faults.accept("changeEntries");
        passUntil("the change", () -> find("tick").orElseThrow().last().isPresent());
        assertThat(occurrences("tick")).doesNotHaveDuplicates();
    }

    @Test
    void changeWhoseReplyIsLostCountsOnce() {
        schedule("tick");
        faults.loseReplies("changeEntries", 5);
        watch();
        passUntil("the replies to be lost", () -> faults.count("changeEntries") >= 5);
        passUntil("more occurrences", () -> occurrences("tick").size() >= 8);
        assertThat(occurrences("tick")).doesNotHaveDuplicates();
    }

    @Test
    void occurrencesWaitForTheStore() {
        String first = "occurrence:" + schedule("tick").next().orElseThrow();
        faults.refuse("listEntries", kind -> true);
        watch();
        passUntil("some attempts", () -> faults.count("listEntries") >= 5);
        assertThat(occurrences("tick")).isEmpty();
        faults.accept("listEntries");
        passUntil("the first occurrence", () -> occurrences("tick").stream().anyMatch(tags -> tags.contains(first)));
    }

    @Test
    void damagedScheduleDoesNotHoldUpTheOthers() {
        schedule("b");
        try (JobStore store = new MemoryJobStoreProvider().open(((ConnectedFactory) jono()).companionConfig())) {
            got(store.changeEntries(List.of(
                    new EntryChange("schedule", "a", null, "1", "[]"),
                    new EntryChange("schedule", "c", null, "1", "{\"zone\":\"Nowhere/City\"}"))));
        }
        assertThat(faulty().schedules()).extracting(ScheduleView::name).containsExactly("b");
        watch();
        passUntil("an occurrence", () -> !occurrences("b").isEmpty());
        assertThat(schedule("a").next()).as("it can be replaced").isPresent();
        assertThat(faulty().unschedule("c")).as("it can be removed").isTrue();
        passUntil("an occurrence", () -> !occurrences("a").isEmpty());
    }

    /** More than are read at once. */
    @Test
    void manySchedulesAreAllServed() {
        int number = 450;
        for (int i = 0; i < number; i++) {
            schedule("tick" + i);
        }
        assertThat(faulty().schedules()).hasSize(number);
        watch();
        passUntil(
                "an occurrence of each",
                () -> faulty().schedules().stream().allMatch(each -> each.last().isPresent()));
    }

    /** While no schedule is due, a process reads one page every 1.5 seconds, and nothing else. */
    @Test
    void schedulesThatAreNotDueCostLittle() {
        faulty().schedule("yearly", "0 0 1 7 *", ZoneOffset.UTC, SHOUT, "hello");
        faults.refuse("listEntries", "schedule"::equals);
        faults.refuse("entries", "schedule"::equals);
        watch();
        pass(seconds(30));
        pass(seconds(30));
        awaitReal("a look", () -> faults.count("listEntries") > 0);
        assertThat(faults.count("listEntries")).isLessThanOrEqualTo(42);
        assertThat(faults.count("entries")).isZero();
    }
}
