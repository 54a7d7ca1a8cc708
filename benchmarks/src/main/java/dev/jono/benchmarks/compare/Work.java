package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One kind of work with its parameters, which all contestants do.
 *
 * @param id the name for {@code --work}; the names of its cells begin so, and some end with a step
 * @param width the calls in flight, or {@link Driver#BEST}; the jobs that run at once
 * @param bytes the length of a message
 * @param consumers the processes that take messages in a flow
 * @param rate the messages per second of a paced flow; if negative, the fraction of the contestant's steady flow
 * @param depth the messages that stay in the queue
 * @param queues the number of queues to which one process pushes; 0 for the contestant's one queue
 */
record Work(String id, Kind kind, int width, int bytes, int consumers, double rate, int depth, int queues) {
    /** The calls in flight if one process uses many queues. */
    static final int OVER_QUEUES = 64;

    private static final int JOBS_AT_ONCE = 64;

    /** The length of the payload of a job, also with {@code --size}. */
    private static final int JOB_BYTES = 200;

    /** The kinds of work. */
    enum Kind {
        /** Push, then reserve+ack, then pop, by one process. */
        STEPS,
        /** A producer and consumers in separate processes at the same time, as fast as they can. */
        FLOW,
        /** The same at a fixed rate, to measure delays. */
        PACED,
        /** Push and take while a backlog stays in the queue. */
        BACKLOG,
        /** Enqueue jobs, then run them, by one process. */
        JOBS,
        /** The bytes that a message uses in the storage, and that the client allocates for it. */
        BYTES
    }

    /** Returns whether a contestant can do this work. */
    boolean supports(Contestant contestant) {
        if (contestant.jobs() || kind == Kind.JOBS) {
            return contestant.jobs() && kind == Kind.JOBS;
        }
        if (contestant.variant()) {
            return width == Driver.BEST && (kind == Kind.FLOW || kind == Kind.STEPS);
        }
        boolean bare = contestant.driver().equals("bare");
        return switch (kind) {
            case FLOW, PACED -> contestant.flow();
            case BYTES -> contestant.storage() != Storage.MEMORY && !bare;
            case STEPS -> queues > 0 ? contestant.manyQueues() : width == Driver.BEST || width == 1 || !bare;
            case BACKLOG -> !bare;
            case JOBS -> false;
        };
    }

    /** Returns the steps by which a contestant takes; before each step, the same number of messages is pushed. */
    List<Step> takeSteps(Contestant contestant, boolean quick) {
        boolean reserves = contestant.steps().contains(Step.RESERVE_ACK);
        return Stream.of(Step.RESERVE_ACK, Step.POP)
                .filter(contestant.steps()::contains)
                .filter(step -> step == Step.RESERVE_ACK || !reserves || (!quick && queues == 0))
                .toList();
    }

    static Work steps(String id, int width, int bytes) {
        return new Work(id, Kind.STEPS, width, bytes, 0, 0, 0, 0);
    }

    static Work flow(int consumers, int bytes) {
        return new Work("flow-" + consumers, Kind.FLOW, Driver.BEST, bytes, consumers, 0, 0, 0);
    }

    static Work paced(String id, double rate, int bytes) {
        return new Work(id, Kind.PACED, Driver.BEST, bytes, 1, rate, 0, 0);
    }

    private static Work backlog(int depth, int bytes) {
        return new Work("backlog-" + depth, Kind.BACKLOG, Driver.BEST, bytes, 0, 0, depth, 0);
    }

    private static Work queues(int queues, int bytes) {
        return new Work("queues-" + queues, Kind.STEPS, OVER_QUEUES, bytes, 0, 0, 0, queues);
    }

    static Work jobs() {
        return new Work("jobs", Kind.JOBS, JOBS_AT_ONCE, JOB_BYTES, 0, 0, 0, 0);
    }

    /** Returns the works of a usual run. */
    static List<Work> usual(int bytes) {
        return List.of(
                steps("best", Driver.BEST, bytes),
                steps("one", 1, bytes),
                flow(1, bytes),
                paced("paced-100", 100, bytes),
                paced("paced-1000", 1000, bytes),
                paced("paced-80%", -0.8, bytes),
                queues(100, bytes),
                new Work("bytes", Kind.BYTES, Driver.BEST, bytes, 0, 0, 0, 0));
    }

    /** Returns the works of a quick run. */
    static List<Work> quick(int bytes) {
        return List.of(flow(1, bytes), paced("paced-1000", 1000, bytes));
    }

    /** Returns the works of a quick run with {@code --only}; some contestants have no flow, or only jobs. */
    static List<Work> quickForAny(int bytes) {
        List<Work> works = new ArrayList<>();
        works.add(steps("best", Driver.BEST, bytes));
        works.addAll(quick(bytes));
        works.add(jobs());
        return works;
    }

    /** Returns the works with these ids. A name that is no id selects all ids that begin so; no name selects all works. */
    static List<Work> chosen(List<Work> all, List<String> names) {
        return all.stream()
                .filter(work -> names.isEmpty()
                        || names.stream()
                                .anyMatch(name -> work.id.equals(name)
                                        || (work.id.startsWith(name)
                                                && all.stream().noneMatch(other -> other.id.equals(name)))))
                .toList();
    }

    /** Returns the works of a full run. */
    static List<Work> full(int bytes) {
        List<Work> works = new ArrayList<>(usual(bytes));
        works.add(jobs());
        for (int width : new int[] {4, 64, 1024}) {
            works.add(steps("flight-" + width, width, bytes));
        }
        for (int size : new int[] {100, 1024, 16_384}) {
            if (size != bytes) {
                works.add(steps("size-" + size, Driver.BEST, size));
            }
        }
        for (int consumers : new int[] {2, 4, 8}) {
            works.add(flow(consumers, bytes));
        }
        for (int depth : new int[] {1000, 100_000, 1_000_000, 5_000_000}) {
            works.add(backlog(depth, bytes));
        }
        // At the end, because a server that fails with too many queues also fails for the other contestants on it.
        for (int queues : new int[] {1, 10, 1000, 10_000}) {
            works.add(queues(queues, bytes));
        }
        return works;
    }
}
