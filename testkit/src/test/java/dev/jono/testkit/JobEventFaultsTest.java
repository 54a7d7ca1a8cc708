package dev.jono.testkit;

import static dev.jono.testkit.StoreCase.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobEvent.Kind;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.memory.MemoryJobStoreProvider;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.StoredEvent;
import dev.jono.spi.ConnectedFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What events cost, and events whose store fails. */
class JobEventFaultsTest extends JobCase {
    private final JobFaults faults = new JobFaults();
    private final List<JobEvent> here = new CopyOnWriteArrayList<>();
    private final List<JobEvent> there = new CopyOnWriteArrayList<>();

    JobEventFaultsTest() {
        super(() -> MemorySetup.fresh().build());
    }

    /** The jobs with the faults. */
    private Jobs faulty() {
        return faults.jobs(jono());
    }

    private JobStore log() {
        return new MemoryJobStoreProvider().open(((ConnectedFactory) jono()).companionConfig());
    }

    private static List<Kind> kinds(List<JobEvent> heard, JobHandle<?> job) {
        return JobEventCase.kinds(heard, job.id());
    }

    /** No time passes, so the process looks once whether another one listens. */
    @Test
    void withoutListenersNoEventIsStoredAndTheStoreIsAskedOnce() {
        AtomicInteger looks = new AtomicInteger();
        for (String method : List.of("appendEvents", "events", "listenToEvents")) {
            faults.refuse(method, first -> {
                looks.incrementAndGet();
                return false;
            });
        }
        int count = 200;
        start(faulty().runner().concurrency(4).handle(SHOUT, (text, run) -> text));
        faulty().enqueueAll(SHOUT, WorkerCase.numbered(count), o -> o);
        awaitReal("the last ack", () -> waiting().totalSize() == 0);
        assertThat(looks).hasValue(1);
        pass(Duration.ofSeconds(2));
        faulty().enqueue(SHOUT, "later");
        awaitReal("the next look", () -> looks.get() == 2);
        try (JobStore log = log()) {
            got(log.listenToEvents("r", 1000));
            assertThat(got(log.events("", 10))).isEmpty();
        }
    }

    @Test
    void listenersOfTheSameProcessAloneStoreNothing() {
        faulty().on(here::add);
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        awaitReal("the event", () -> kinds(here, job).equals(List.of(Kind.ENQUEUED)));
        pass(Duration.ofSeconds(2));
        assertThat(job.cancel("not needed")).isTrue();
        awaitReal("the event", () -> kinds(here, job).equals(List.of(Kind.ENQUEUED, Kind.CANCELLED)));
        try (JobStore log = log()) {
            assertThat(got(log.events("", 10))).isEmpty();
        }
    }

    /** A storage may store an append again after a lost reply. */
    @Test
    void eventThatIsInTheLogTwiceIsHeardOnce() {
        jobs(client()).on(there::add);
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        workUntil("the event", () -> kinds(there, job).equals(List.of(Kind.ENQUEUED)));
        try (JobStore log = log()) {
            List<String> again =
                    got(log.events("", 10)).stream().map(StoredEvent::document).toList();
            assertThat(again).hasSize(1);
            assertThat(got(log.appendEvents("repeated", again))).isTrue();
        }
        job.cancel("not needed");
        workUntil("the next event", () -> kinds(there, job).contains(Kind.CANCELLED));
        assertThat(kinds(there, job)).containsExactly(Kind.ENQUEUED, Kind.CANCELLED);
    }

    @Test
    void eventsThatThisVersionDoesNotKnowAreLeftOut() {
        jobs(client()).on(there::add);
        try (JobStore log = log()) {
            got(
                    log.appendEvents(
                            "newer",
                            List.of(
                                    "{",
                                    "17",
                                    "{\"v\":2,\"by\":\"newer\",\"n\":1,\"kind\":\"frozen\",\"job\":\"shout:1\",\"time\":1}",
                                    "{\"v\":2,\"by\":\"newer\",\"n\":2,\"kind\":\"removed\",\"job\":\"shout:1\",\"time\":1,\"x\":{}}")));
        }
        workUntil("the event", () -> !there.isEmpty());
        assertThat(there).extracting(JobEvent::kind).containsExactly(Kind.REMOVED);
    }

    @Test
    void storeThatIsAwayLosesEventsForOthersOnly() {
        jobs(client()).on(there::add);
        faulty().on(here::add);
        faults.refuse("appendEvents", writer -> true);
        JobHandle<String> lost = faulty().enqueue(SHOUT, "lost");
        awaitReal("the failure", () -> faults.count("appendEvents") == 1);
        awaitReal("the event", () -> kinds(here, lost).size() == 1);
        faults.accept("appendEvents");
        workUntil("an event", () -> {
            faulty().enqueue(SHOUT, "hello");
            return !there.isEmpty();
        });
        assertThat(kinds(there, lost)).isEmpty();
    }

    @Test
    void listenerHearsOtherProcessesWhenTheStoreIsAvailableAgain() {
        faults.refuse("listenToEvents", reader -> true);
        faulty().on(here::add);
        faults.accept("listenToEvents");
        faults.refuse("events", position -> true);
        workUntil("a refused read", () -> faults.count("events") > 0);
        faults.accept("events");
        JobHandle<String> job = jobs(client()).enqueue(SHOUT, "hello");
        workUntil("the event", () -> kinds(here, job).equals(List.of(Kind.ENQUEUED)));
    }

    @Test
    void endWhoseWriteLosesItsReplyIsHeardOnce() {
        faulty().on(here::add);
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        faults.loseReplies("write", 1);
        start(faulty().runner().handle(SHOUT, (text, run) -> text));
        passUntil("the ack", () -> waiting().totalSize() == 0);
        awaitReal("the end", () -> kinds(here, job).contains(Kind.SUCCEEDED));
        assertThat(faults.count("write")).isOne();
        assertThat(kinds(here, job)).containsExactly(Kind.ENQUEUED, Kind.STARTED, Kind.SUCCEEDED);
    }

    @Test
    void slowStoreDelaysNothing() {
        jobs(client()).on(there::add);
        faults.hold("appendEvents");
        faulty().on(here::add);
        start(faulty().runner().handle(SHOUT, (text, run) -> text));
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        assertThat(result(job)).isEqualTo("hello");
        awaitReal("the events here", () -> kinds(here, job).size() == 3);
        assertThat(there).isEmpty();
        faults.release("appendEvents");
        workUntil("the events there", () -> kinds(there, job).size() == 3);
    }

    @Test
    void slowListenerMissesEventsAfterTenThousand() {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        faulty().on(event -> {
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            here.add(event);
        });
        AtomicInteger heard = new AtomicInteger();
        faulty().on(event -> heard.incrementAndGet());
        JobHandle<String> last = faulty().enqueue(SHOUT, "last");
        for (int count = 1001; count <= 11_001; count += 1000) {
            faulty().enqueueAll(SHOUT, WorkerCase.numbered(1000), o -> o);
            int soFar = count;
            awaitReal("the other listener", () -> heard.get() == soFar);
        }
        mayGoOn.countDown();
        awaitReal("the events that waited", () -> here.size() >= 10_000);
        last.cancel("not needed");
        awaitReal("the last event", () -> kinds(here, last).contains(Kind.CANCELLED));
        assertThat(here).hasSizeBetween(10_001, 10_002);
    }

    /** The process that waits hears of the end, so it does not wait for its next look. */
    @Test
    void awaitEndsWithTheEventOfAnotherProcess() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        Jobs other = jobs(client());
        other.on(there::add);
        long[] reads = {0};
        CompletableFuture<String> waits =
                inBackground(() -> String.valueOf(other.await(SHOUT, job.id(), Duration.ofDays(1))));
        // The looks become a second apart, the reads of events stay 200 ms apart.
        workUntil("looks at long intervals", () -> reads[0]++ > 600);
        start(jobs().runner().handle(SHOUT, (text, run) -> text));
        workUntil("the event", () -> kinds(there, job).contains(Kind.SUCCEEDED));
        awaitReal("the result", waits::isDone);
        assertThat(waits.join()).isEqualTo("hello");
    }
}
