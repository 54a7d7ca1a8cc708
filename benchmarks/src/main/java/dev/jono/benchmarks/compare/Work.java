package dev.jono.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * What all contestants do in turn.
 *
 * @param id of its cells, behind which their step stands
 * @param width calls in flight, or {@link Driver#BEST}
 * @param consumers processes that take, in a flow
 * @param rate messages a second, of a paced flow; negative for a share of the fastest flow
 * @param depth messages that lie there all the time
 */
record Work(String id, Kind kind, int width, int bytes, int consumers, double rate, int depth) {
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

    static Work steps(String id, int width, int bytes) {
        return new Work(id, Kind.STEPS, width, bytes, 0, 0, 0);
    }

    static Work flow(int consumers, int bytes) {
        return new Work("flow-" + consumers, Kind.FLOW, Driver.BEST, bytes, consumers, 0, 0);
    }

    static Work paced(String id, double rate, int bytes) {
        return new Work(id, Kind.PACED, Driver.BEST, bytes, 1, rate, 0);
    }

    private static Work backlog(int depth, int bytes) {
        return new Work("backlog-" + depth, Kind.BACKLOG, Driver.BEST, bytes, 0, 0, depth);
    }

    /** What is done by default. */
    static List<Work> usual(int bytes) {
        List<Work> works = new ArrayList<>(List.of(
                steps("best", Driver.BEST, bytes),
                steps("one", 1, bytes),
                flow(1, bytes),
                paced("paced-100", 100, bytes),
                paced("paced-1000", 1000, bytes),
                paced("paced-80%", -0.8, bytes)));
        works.add(new Work("bytes", Kind.BYTES, Driver.BEST, bytes, 0, 0, 0));
        return works;
    }

    /** What is done where there is little time. */
    static List<Work> quick(int bytes) {
        return List.of(
                steps("best", Driver.BEST, bytes),
                steps("one", 1, bytes),
                flow(1, bytes),
                paced("paced-1000", 1000, bytes));
    }

    /** All there is. */
    static List<Work> full(int bytes) {
        List<Work> works = usual(bytes);
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
        for (int depth : new int[] {1000, 1_000_000, 5_000_000}) {
            works.add(backlog(depth, bytes));
        }
        return works;
    }
}
