package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.ScheduleView;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schedules. They are due at full seconds of the storage's clock, which no test can set. */
abstract class JobScheduleRules extends JobCase {
    private static final String EACH_SECOND = "* * * * * *";
    private static final String RARELY = "0 0 1 1 *";
    private static final ZoneId UTC = ZoneOffset.UTC;
    /** A type without a handler. */
    private static final JobType<String, Void> OTHER = JobType.of("other", String.class);

    JobScheduleRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsUniqueKeys() {
        requires(Capability.DEDUPLICATE);
    }

    private List<JobView> jobsOf(String schedule) {
        return jobs().find(JobQuery.ofType("shout").tag("schedule:" + schedule).limit(200))
                .jobs();
    }

    private static Optional<Instant> occurrence(JobView job) {
        return job.tags().stream()
                .filter(tag -> tag.startsWith("occurrence:"))
                .map(tag -> Instant.parse(tag.substring("occurrence:".length())))
                .findFirst();
    }

    /** The occurrences for which there are jobs, in their order. */
    private List<Instant> occurrences(String schedule) {
        return jobsOf(schedule).stream()
                .flatMap(job -> occurrence(job).stream())
                .sorted()
                .toList();
    }

    private ScheduleView schedule(String name) {
        return jobs().schedules().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Starts a runner that runs no job of a schedule: they stay where they are. Its process enqueues due ones. */
    private void watch(QueueFactory client) {
        start(jobs(client).runner().handle(OTHER, (text, run) -> null));
    }

    private void assertNothingMoreIsEnqueued(String schedule) {
        AtomicInteger size = new AtomicInteger(-1);
        Awaitility.await("an occurrence that a process has begun to enqueue")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(300))
                .until(() -> size.getAndSet(jobsOf(schedule).size()) == size.get());
        int before = size.get();
        pass(Duration.ofSeconds(3));
        assertThat(jobsOf(schedule)).hasSize(before);
    }

    @Test
    void eachOccurrenceIsEnqueuedOnceByCompetingProcesses() {
        for (int i = 0; i < 3; i++) {
            QueueFactory client = client();
            start(jobs(client).runner().handle(SHOUT, (text, run) -> text));
        }
        ScheduleView scheduled = jobs().schedule("tick", EACH_SECOND, UTC, SHOUT, "hello");
        Instant first = scheduled.next().orElseThrow();
        assertThat(first).isEqualTo(first.truncatedTo(ChronoUnit.SECONDS));
        workUntil("some occurrences", () -> occurrences("tick").size() >= 5);
        assertThat(jobs().unschedule("tick")).isTrue();
        pass(Duration.ofSeconds(2)); // an occurrence that a process has begun to enqueue
        passUntil("the jobs to end", () -> waiting().totalSize() == 0);
        List<JobView> jobs = jobsOf("tick");
        List<Instant> occurrences = occurrences("tick");
        for (int i = 0; i < occurrences.size(); i++) {
            assertThat(occurrences.get(i)).isEqualTo(first.plusSeconds(i));
        }
        assertThat(jobs).hasSameSizeAs(occurrences).allSatisfy(job -> {
            assertThat(job.payload().text()).isEqualTo("\"hello\"");
            assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
        });
    }

    @Test
    void processEnqueuesJobsOfTypesThatItDoesNotRun() {
        watch(client());
        jobs().schedule(
                        "tick",
                        EACH_SECOND,
                        UTC,
                        SHOUT,
                        "hello",
                        o -> o.priority(JobPriority.HIGH).tag("eu"));
        passUntil("an occurrence", () -> !occurrences("tick").isEmpty());
        JobView job = jobsOf("tick").get(0);
        assertThat(job.priority()).isEqualTo(JobPriority.HIGH);
        assertThat(job.tags()).contains("eu");
        assertThat(job.state()).isEqualTo(JobState.WAITING);
        passUntil("the last occurrence", () -> schedule("tick").last().isPresent());
    }

    /** As while all processes are stopped. */
    private Instant missSome(String name, boolean skip) {
        Duration limit = Duration.ofSeconds(2);
        ScheduleView scheduled = jobs().schedule(
                        name,
                        EACH_SECOND,
                        UTC,
                        SHOUT,
                        "hello",
                        o -> skip ? o.missedAfter(limit).skipMissed() : o.missedAfter(limit));
        pass(Duration.ofSeconds(6));
        return scheduled.next().orElseThrow();
    }

    @Test
    void missedOccurrencesRunOnce() {
        Instant first = missSome("tick", false);
        watch(client());
        passUntil("two occurrences", () -> occurrences("tick").size() >= 2);
        List<Instant> occurrences = occurrences("tick");
        assertThat(occurrences.get(0)).as("that of the missed ones").isEqualTo(first);
        assertThat(occurrences.get(1)).isAfterOrEqualTo(first.plusSeconds(3));
    }

    @Test
    void missedOccurrencesAreSkippedByOption() {
        Instant first = missSome("tick", true);
        watch(client());
        passUntil("an occurrence", () -> !occurrences("tick").isEmpty());
        assertThat(occurrences("tick").get(0)).isAfterOrEqualTo(first.plusSeconds(3));
    }

    @Test
    void timerProgramEnqueuesWhatIsDue() throws Exception {
        Instant first = missSome("tick", false);
        passUntilDone(
                "the run",
                inBackground(() -> jobs(client())
                        .runner()
                        .lease(Duration.ofDays(1))
                        .handle(OTHER, (text, run) -> null)
                        .runUntilIdle(Duration.ofMinutes(1))));
        assertThat(occurrences("tick")).contains(first);
    }

    @Test
    void upsertReplacesTheSchedule() {
        jobs().schedule("tick", RARELY, UTC, OTHER, "first", o -> o.tag("old"));
        ScheduleView second = jobs(client()).schedule("tick", EACH_SECOND, ZoneId.of("Europe/Berlin"), SHOUT, "second");
        assertThat(jobs().schedules()).hasSize(1);
        ScheduleView stored = schedule("tick");
        assertThat(stored).isEqualTo(second);
        assertThat(stored.cron()).isEqualTo(EACH_SECOND);
        assertThat(stored.zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(stored.type()).isEqualTo("shout");
        assertThat(stored.payload().kind()).isEqualTo(PayloadKind.JSON);
        assertThat(stored.tags()).isEmpty();
        watch(client());
        passUntil("an occurrence", () -> !occurrences("tick").isEmpty());
        assertThat(jobsOf("tick").get(0).payload().text()).isEqualTo("\"second\"");
        assertThat(jobs().find(JobQuery.ofType("other")).jobs()).isEmpty();
    }

    /** A program that declares its schedules when it starts must not skip what it has missed. */
    @Test
    void upsertWithTheSameTimesKeepsTheNextOccurrence() {
        Instant first =
                jobs().schedule("tick", EACH_SECOND, UTC, SHOUT, "first").next().orElseThrow();
        pass(Duration.ofSeconds(3));
        assertThat(jobs(client())
                        .schedule("tick", EACH_SECOND, UTC, SHOUT, "second")
                        .next())
                .contains(first);
        watch(client());
        passUntil("an occurrence", () -> !occurrences("tick").isEmpty());
        assertThat(occurrences("tick").get(0)).isEqualTo(first);
        assertThat(jobsOf("tick"))
                .allSatisfy(job -> assertThat(job.payload().text()).isEqualTo("\"second\""));
    }

    @Test
    void removedScheduleHasNoMoreOccurrences() {
        watch(client());
        jobs().schedule("tick", EACH_SECOND, UTC, SHOUT, "hello");
        passUntil("an occurrence", () -> !occurrences("tick").isEmpty());
        assertThat(jobs(client()).unschedule("tick")).isTrue();
        assertThat(jobs().unschedule("tick")).isFalse();
        assertThat(jobs().schedules()).isEmpty();
        assertNothingMoreIsEnqueued("tick");
    }

    @Test
    void pausedScheduleHasNoOccurrencesUntilItIsResumed() {
        watch(client());
        jobs().schedule("tick", EACH_SECOND, UTC, SHOUT, "hello");
        passUntil("an occurrence", () -> !occurrences("tick").isEmpty());
        assertThat(jobs(client()).pauseSchedule("tick")).isTrue();
        assertThat(schedule("tick").isPaused()).isTrue();
        assertThat(schedule("tick").next()).isEmpty();
        assertThat(jobs().schedule("tick", EACH_SECOND, UTC, SHOUT, "hello").isPaused())
                .as("an upsert ends no pause")
                .isTrue();
        assertNothingMoreIsEnqueued("tick");
        Instant last = occurrences("tick").get(occurrences("tick").size() - 1);
        assertThat(jobs(client()).resumeSchedule("tick")).isTrue();
        Instant next = schedule("tick").next().orElseThrow();
        assertThat(next).isAfter(last.plusSeconds(3));
        passUntil("an occurrence after the pause", () -> occurrences("tick").contains(next));
        assertThat(occurrences("tick").stream().filter(each -> each.isAfter(last) && each.isBefore(next)))
                .as("the times of the pause")
                .isEmpty();
    }

    @Test
    void scheduleRunsNowInAdditionToItsOccurrences() {
        Optional<Instant> next =
                jobs().schedule("yearly", RARELY, UTC, SHOUT, "hello").next();
        assertThat(jobs().pauseSchedule("yearly")).isTrue();
        Optional<String> paused = jobs().runSchedule("yearly");
        assertThat(jobs().resumeSchedule("yearly")).isTrue();
        Optional<String> job = jobs().runSchedule("yearly");
        assertThat(paused).isPresent().isNotEqualTo(job);
        assertThat(jobs().get(job.orElseThrow()).orElseThrow().payload().text()).isEqualTo("\"hello\"");
        assertThat(jobsOf("yearly")).hasSize(2);
        assertThat(occurrences("yearly")).isEmpty();
        assertThat(schedule("yearly").next()).isEqualTo(next);
        assertThat(schedule("yearly").last()).isEmpty();
    }

    @Test
    void jobsOfAScheduleHaveTheKeysOfTheirType() {
        requires(Capability.KEYED);
        JobType<String, String> keyed = SHOUT.key(text -> text);
        jobs().schedule("yearly", "0 0 1 1 *", ZoneOffset.UTC, keyed, "hello");
        String first = jobs().runSchedule("yearly").orElseThrow();
        String second = jobs().runSchedule("yearly").orElseThrow();
        assertThat(jobs().get(first).orElseThrow().key()).contains("hello");
        assertThat(jobs().get(second).orElseThrow().state()).isEqualTo(JobState.BLOCKED);
        assertThatThrownBy(() -> jobs().schedule(
                                "weekly", RARELY, UTC, keyed, "hello", options -> options.priority(JobPriority.HIGH)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'weekly'", "'hello'", "HIGH");
    }

    @Test
    void unknownScheduleIsReported() {
        assertThat(jobs().schedules()).isEmpty();
        assertThat(jobs().unschedule("none")).isFalse();
        assertThat(jobs().pauseSchedule("none")).isFalse();
        assertThat(jobs().resumeSchedule("none")).isFalse();
        assertThat(jobs().runSchedule("none")).isEmpty();
    }

    @Test
    void schedulesAreListedByName() {
        for (String name : List.of("b", "a", "C")) {
            jobs().schedule(name, RARELY, UTC, SHOUT, "hello");
        }
        assertThat(jobs().schedules()).extracting(ScheduleView::name).containsExactly("C", "a", "b");
    }

    @Test
    void scheduleThatIsNotAllowedIsRefusedWithTheReason() {
        assertThatThrownBy(() -> jobs().schedule("tick", "61 * * * *", UTC, SHOUT, "hello"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'61 * * * *'", "61", "59");
        assertThatThrownBy(() -> jobs().schedule("tick", "0 0 30 2 *", UTC, SHOUT, "hello"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no such day");
        assertThatThrownBy(() -> jobs().schedule("tick tock", RARELY, UTC, SHOUT, "hello"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("tick tock", "80");
        assertThatThrownBy(() -> jobs().schedule("tick", RARELY, UTC, SHOUT, "x".repeat(70_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'tick'", "65536");
        assertThatThrownBy(() -> jobs().schedule("tick", RARELY, Unchecked.<ZoneId>nullOf(), SHOUT, "hello"))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("zone");
        assertThat(jobs().schedules()).isEmpty();
    }
}
