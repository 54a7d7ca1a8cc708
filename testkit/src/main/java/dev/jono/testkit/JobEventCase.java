package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobEvent.Kind;
import dev.jono.jobs.JobEventFilter;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** The base of the tests of events: a listener in the process of the first client, and one in another process. */
abstract class JobEventCase extends JobCase {
    /** What listeners heard in the process of the first client, and in another one. */
    final List<JobEvent> here = new CopyOnWriteArrayList<>();

    final List<JobEvent> there = new CopyOnWriteArrayList<>();

    JobEventCase(Supplier<ContractSetup> opener) {
        super(opener);
    }

    final void listen() {
        listen(JobEventFilter.all());
    }

    final void listen(JobEventFilter filter) {
        jobs().on(filter, here::add);
        jobs(client()).on(filter, there::add);
    }

    /**
     * The events of one job. A job that starts at once can be started before it is enqueued: then the enqueue is moved to the begin.
     */
    static List<JobEvent> ofJob(List<JobEvent> heard, String id) {
        List<JobEvent> events = new ArrayList<>(
                heard.stream().filter(event -> event.jobId().equals(id)).toList());
        events.stream()
                .filter(event -> event.kind() == Kind.ENQUEUED)
                .findFirst()
                .filter(events::remove)
                .ifPresent(enqueued -> events.add(0, enqueued));
        return events;
    }

    /** The kinds of the events of one job. */
    static List<Kind> kinds(List<JobEvent> heard, String id) {
        return ofJob(heard, id).stream().map(JobEvent::kind).toList();
    }

    /** Waits until both listeners have heard these events of a job, in this order. Returns the events of the other process. */
    final List<JobEvent> awaitBoth(JobHandle<?> job, Kind... expected) {
        for (List<JobEvent> heard : List.of(here, there)) {
            workUntil(
                    List.of(expected) + ", heard " + (heard == here ? "here" : "there"),
                    () -> kinds(heard, job.id()).size() >= expected.length);
            assertThat(kinds(heard, job.id())).containsExactly(expected);
        }
        List<JobEvent> ofJob = ofJob(there, job.id());
        assertThat(here).containsAll(ofJob);
        assertThat(ofJob).allSatisfy(event -> assertThat(event.type()).isEqualTo("shout"));
        return ofJob;
    }

    final JobRunner run(JobType<String, String> type, JobHandler<String, String> handler) {
        return start(jobs().runner().handle(type, handler));
    }
}
