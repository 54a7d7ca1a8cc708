package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What all contestants do in turn.
 *
 * @param id of its cells, behind which their step stands
 * @param width calls in flight, or {@link Driver#BEST}
 * @param consumers processes that take, in a flow
 * @param rate messages a second, of a paced flow; negative for a share of the fastest flow
 * @param depth messages that lie there all the time
 * @param queues over which one process spreads the messages; 0 for the contestant's one queue
 */
record Work(String id, Kind kind, int width, int bytes, int consumers, double rate, int depth, int queues) {
    /** Calls in flight where one process serves many queues. */
    static final int OVER_QUEUES = 64;

    /** The sorts of work. */
    enum Kind {
        /** Push, then reserve+ack, then pop, by one process. */
        STEPS,
        /** A producer and consumers at once, as fast as it goes. */
        FLOW,
        /** The same at a given pace, for the delays. */
        PACED,
        /** Steps over a backlog. */
        BACKLOG,
        /** Bytes that a message takes where it is stored, and allocates where it is handled. */
        BYTES
    }

    /** Whether somebody can do it at all. */
    boolean can(Contestant who) {
        if (who.variant()) {
            return width == Driver.BEST && (kind == Kind.FLOW || kind == Kind.STEPS);
        }
        boolean bare = who.driver().equals("bare");
        return switch (kind) {
            case FLOW, PACED -> who.flow();
            case BYTES -> who.storage() != Storage.MEMORY && !bare;
            case STEPS -> queues > 0 ? who.queues() : width == Driver.BEST || width == 1 || !bare;
            case BACKLOG -> !bare;
        };
    }

    /** How somebody takes, in turn, each after a push of as many. */
    List<Step> takes(Contestant who, boolean quick) {
        boolean reserves = who.steps().contains(Step.RESERVE_ACK);
        return Stream.of(Step.RESERVE_ACK, Step.POP)
                .filter(who.steps()::contains)
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

    /** What is done by default. */
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

    /** What is done where there is little time, by those whose flows are compared. */
    static List<Work> quick(int bytes) {
        return List.of(flow(1, bytes), paced("paced-1000", 1000, bytes));
    }

    /** The same for anybody: some have no flow. */
    static List<Work> quickOfAny(int bytes) {
        return Stream.concat(Stream.of(steps("best", Driver.BEST, bytes)), quick(bytes).stream())
                .toList();
    }

    /** Those that are called so or, where none is, whose ids begin so. */
    static List<Work> chosen(List<Work> all, List<String> names) {
        return all.stream()
                .filter(work -> names.isEmpty()
                        || names.stream()
                                .anyMatch(name -> work.id.equals(name)
                                        || (work.id.startsWith(name)
                                                && all.stream().noneMatch(other -> other.id.equals(name)))))
                .toList();
    }

    /** All there is. */
    static List<Work> full(int bytes) {
        List<Work> works = new ArrayList<>(usual(bytes));
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
        // At the end: a server that has too many at once takes the others that use it with it.
        for (int queues : new int[] {1, 10, 1000, 10_000}) {
            works.add(queues(queues, bytes));
        }
        return works;
    }
}
