package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.QueueClosedException;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobEvent.Kind;
import dev.jono.jobs.JobEventFilter;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobListening;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Listeners of events, and waits that events end. */
abstract class JobListenerRules extends JobEventCase {
    JobListenerRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void filterSelectsByTypeJobAndKind() {
        List<JobEvent> ofType = new CopyOnWriteArrayList<>();
        List<JobEvent> ofJob = new CopyOnWriteArrayList<>();
        List<JobEvent> others = new CopyOnWriteArrayList<>();
        JobType<String, String> whisper = JobType.of("whisper", String.class).returning(String.class);
        jobs(client()).on(event -> {}); // before the first event, so that none is dropped
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        for (Jobs each : List.of(jobs(), jobs(client()))) {
            each.on(JobEventFilter.ofType(whisper), ofType::add);
            each.on(JobEventFilter.ofJob(job.id()).kinds(Kind.STARTED, Kind.SUCCEEDED), ofJob::add);
            each.on(JobEventFilter.ofType("shout").without(Kind.ENQUEUED, Kind.STARTED, Kind.SUCCEEDED), others::add);
        }
        start(jobs().runner().handle(SHOUT, (text, run) -> text).handle(whisper, (text, run) -> text));
        workUntil("the first job", () -> ofJob.size() == 4);
        JobHandle<String> second = jobs().enqueue(whisper, "hush");
        workUntil("the second job", () -> ofType.size() == 6);
        assertThat(ofJob).extracting(JobEvent::jobId).containsOnly(job.id());
        assertThat(ofJob).extracting(JobEvent::kind).containsOnly(Kind.STARTED, Kind.SUCCEEDED);
        assertThat(ofType).extracting(JobEvent::jobId).containsOnly(second.id());
        assertThat(others).isEmpty();
    }

    @Test
    void localListenerHearsOnlyItsOwnFactory() {
        jobs().on(JobEventFilter.all().local(), here::add);
        Jobs other = jobs(client());
        List<JobEvent> localThere = new CopyOnWriteArrayList<>();
        other.on(JobEventFilter.all().local(), localThere::add);
        other.on(JobEventFilter.all().local().kinds(Kind.CANCELLED), localThere::add);
        other.on(there::add);
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        workUntil("the event", () -> !there.isEmpty());
        assertThat(other.cancel(job.id(), "not needed")).isTrue();
        workUntil("the cancel", () -> kinds(localThere, job.id()).size() == 2);
        assertThat(kinds(here, job.id())).containsExactly(Kind.ENQUEUED);
        assertThat(kinds(localThere, job.id())).containsExactly(Kind.CANCELLED, Kind.CANCELLED);
    }

    @Test
    void closedListenerHearsNothing() {
        Jobs other = jobs(client());
        JobListening closed = other.on(there::add);
        JobListening closedHere = jobs().on(here::add);
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        awaitBoth(job, Kind.ENQUEUED);
        closed.close();
        closed.close();
        closedHere.close();
        List<JobEvent> open = new CopyOnWriteArrayList<>();
        other.on(open::add);
        assertThat(job.cancel("not needed")).isTrue();
        workUntil("the other listener", () -> open.size() == 1);
        awaitBoth(job, Kind.ENQUEUED);
    }

    @Test
    void listenerThatComesLaterHearsWhatHappensASecondLater() {
        jobs().enqueue(SHOUT, "to nobody");
        jobs(client()).on(there::add);
        workUntil("an event", () -> {
            jobs().enqueue(SHOUT, "hello");
            return !there.isEmpty();
        });
    }

    @Test
    void manyJobsAreHeardOnceAndInOrder() {
        listen();
        int count = 300;
        List<JobHandle<String>> all = new ArrayList<>(jobs().enqueueAll(SHOUT, WorkerCase.numbered(count), o -> o));
        start(jobs().runner().concurrency(4).handle(SHOUT, (text, run) -> text));
        workUntil("all events here", () -> here.size() >= 3 * count);
        workUntil("all events there", () -> there.size() >= 3 * count);
        for (JobHandle<String> job : all) {
            awaitBoth(job, Kind.ENQUEUED, Kind.STARTED, Kind.SUCCEEDED);
        }
    }

    @Test
    void hostileListenersHarmNothing() {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        List<JobEvent> afterwards = new CopyOnWriteArrayList<>();
        jobs().on(event -> {
            throw new IllegalStateException("the test's");
        });
        jobs().on(event -> {
            throw new StackOverflowError("the test's");
        });
        jobs().on(event -> {
            boolean interrupted = false;
            while (mayGoOn.getCount() > 0) {
                try {
                    mayGoOn.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (!interrupted) {
                afterwards.add(event);
            }
        });
        listen();
        run(SHOUT, (text, run) -> text);
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        assertThat(result(job)).isEqualTo("hello");
        workUntil("the events", () -> here.size() == 3 && there.size() == 3);
        assertThat(afterwards).isEmpty();
        mayGoOn.countDown();
        // A job that starts at once can be started before it is enqueued, for each listener.
        awaitReal("the events that waited", () -> afterwards.size() == here.size() && afterwards.containsAll(here));
    }

    /** With a settable clock no time passes, so that no look ends the wait. */
    @Test
    void awaitEndsWithTheJobInTheSameProcess() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        run(SHOUT, (text, run) -> {
            mayEnd.await();
            return text;
        });
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        CompletableFuture<String> result = inBackground(() -> String.valueOf(job.await(Duration.ofDays(1))));
        JobHandle<String> cancelled = jobs().enqueue(SHOUT, "never", o -> o.delay(Duration.ofHours(1)));
        CompletableFuture<String> noResult = inBackground(() -> String.valueOf(cancelled.await(Duration.ofDays(1))));
        pass(seconds(5)); // the looks are a second apart now
        mayEnd.countDown();
        assertThat(jobs().cancel(cancelled.id(), "not needed")).isTrue();
        awaitReal("the results", () -> result.isDone() && noResult.isDone());
        assertThat(result.join()).isEqualTo("hello");
        assertThatThrownBy(noResult::join).hasMessageContaining("not needed");
    }

    @Test
    void closedFactoryHasNoListeners() {
        QueueFactory other = client();
        Jobs closed = jobs(other);
        closed.on(there::add);
        other.close();
        assertThatThrownBy(() -> closed.on(there::add)).isInstanceOf(QueueClosedException.class);
        jobs().enqueue(SHOUT, "hello");
        assertThat(there).isEmpty();
    }
}
