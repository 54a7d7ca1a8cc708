package dev.jono.dashboard.internal.source;

import dev.jono.Codec;
import dev.jono.ConfigurationException;
import dev.jono.EncodedPayload;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.jobs.JobState;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.LimitsView;
import dev.jono.jobs.RunnerView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One storage: its queues and, where its artifacts are there, its jobs. Thread-safe. */
public final class Source {
    /** The key of samples of which there is one. */
    private static final String ALL = "";

    private final String name;
    private final QueueFactory jono;
    private final Samples<String, Names> names;
    private final Samples<String, QueueSample> queues;
    private final Samples<String, TypeCounts> types;
    private final Samples<String, Map<String, Map<JobState, Long>>> allTypes;
    private final Samples<String, Overview.View> overview;
    private final Samples<String, List<RunnerView>> runners;
    private final Samples<String, LimitsView> limits;
    private volatile @Nullable Jobs jobs;

    public Source(String name, QueueFactory jono, JonoClock clock) {
        this.name = name;
        this.jono = jono;
        this.names = new Samples<>(clock, all -> Names.search(jono, findJobs()));
        this.queues = new Samples<>(clock, queue -> QueueSample.read(queue(queue), clock));
        this.types = new Samples<>(clock, type -> new TypeCounts(type, jobs().isPaused(type), jobs().counts(type)));
        Overview numbers = new Overview(this, clock);
        this.overview = new Samples<>(clock, all -> numbers.look());
        this.runners = new Samples<>(clock, all -> jobs().runners());
        this.limits = new Samples<>(clock, type -> jobs().limits(type));
        this.allTypes = new Samples<>(clock, all -> jobs().counts());
    }

    /** The short name of the storage. */
    public String name() {
        return name;
    }

    /** The name of the backend. */
    public String backend() {
        return jono.backend();
    }

    QueueFactory jono() {
        return jono;
    }

    /** The names of queues and types, as they were a moment ago. */
    public Names names() {
        return names.get(ALL);
    }

    /** The numbers of a queue, as they were a moment ago. */
    public QueueSample sample(String queue) {
        return queues.get(queue);
    }

    /** The numbers of jobs of a type, as they were a moment ago. */
    public TypeCounts counts(String type) {
        return types.get(type);
    }

    /** The numbers of jobs by type, as they were a moment ago. */
    public Map<String, Map<JobState, Long>> counts() {
        return allTypes.get(ALL);
    }

    /** What the limits of a type hold back, as it was a moment ago. */
    LimitsView limits(String type) {
        return limits.get(type);
    }

    /** The runners that are alive, as they were a moment ago. */
    public List<RunnerView> runners() {
        return runners.get(ALL);
    }

    /** The numbers of the whole storage, as they were a moment ago. */
    public Overview.View overview() {
        return overview.get(ALL);
    }

    /** The name of the queue of dead letters. */
    public String deadLetters() {
        return jono.deadLetters().name();
    }

    /** Asks the storage something small. Throws if it does not answer. */
    public void probe() {
        jono.deadLetters().counts();
    }

    /** Has the numbers of a queue read again, because a user has changed them. */
    void changed(String queue) {
        queues.forget(queue);
        names.forget(ALL);
    }

    /** Has the numbers of a type read again, because a user has changed them. */
    void changedType(String type) {
        types.forget(type);
        allTypes.forget(ALL);
    }

    /** A queue; its payloads stay encoded. */
    MessageQueue<EncodedPayload> queue(String queue) {
        return jono.queue(queue, Codec.raw());
    }

    /** A queue that is there. */
    MessageQueue<EncodedPayload> existing(String queue) {
        if (!has(queue)) {
            throw ProblemException.missing("there is no queue '" + queue + "': it holds no message, and is not paused");
        }
        return queue(queue);
    }

    /**
     * Whether a queue is there. While it is empty, the storage may not know it. That of the dead letters is there nevertheless, and so is one
     * that is paused, so that users can resume it.
     */
    public boolean has(String queue) {
        return queue.equals(deadLetters())
                || names.get(ALL).hasQueue(queue)
                || sample(queue).paused()
                || names.getNew(ALL).hasQueue(queue);
    }

    /** The jobs of this storage. */
    public Jobs jobs() {
        return findJobs()
                .orElseThrow(() -> new ProblemException(
                        501,
                        "jobs cannot be used on '" + jono.backend()
                                + "': add the artifact with the job store of this backend, if there is one"));
    }

    /** The jobs of this storage; empty if they cannot be used on it. */
    public Optional<Jobs> findJobs() {
        Jobs known = jobs;
        if (known == null) {
            try {
                known = Jobs.on(jono);
            } catch (ConfigurationException unusable) {
                return Optional.empty();
            }
            jobs = known;
        }
        return Optional.of(known);
    }
}
