package dev.jono.cli;

import dev.jono.jobs.JobPriority;

/**
 * A job of the demo. Its number decides what it is and what happens to it.
 *
 * @param n the number of the job, from 0
 */
record DemoJob(int n) {
    /** The number of ordering keys. */
    static final int ACCOUNTS = 20;
    /** The steps of a video, which it reports as progress. */
    static final int STEPS = 3;

    private static final int KINDS = Kind.values().length;
    private static final int DECLINED_EVERY = 41;
    private static final int BUSY_EVERY = 10;
    private static final int GONE_EVERY = 97;
    private static final int GONE_ATTEMPTS = 3;

    /** The types of jobs. */
    enum Kind {
        /** Has a priority. */
        MAIL,
        /** Has an ordering key: the payments of an account are executed in their order. Some fail at first. */
        PAYMENT,
        /** Reports progress and log lines, and returns a result. */
        VIDEO,
        /** Often fails at first, and sometimes for ever. */
        WEBHOOK
    }

    Kind kind() {
        return Kind.values()[n % KINDS];
    }

    /** The number among the jobs of its kind, from 0. */
    private int index() {
        return n / KINDS;
    }

    JobPriority priority() {
        JobPriority[] all = JobPriority.values();
        return kind() == Kind.MAIL ? all[index() % all.length] : JobPriority.NORMAL;
    }

    /** The account of a payment, from 0. */
    int account() {
        return index() % ACCOUNTS;
    }

    /** The number of a payment among those of its account, from 1. */
    int sequence() {
        return index() / ACCOUNTS + 1;
    }

    /** Whether the job never succeeds. */
    boolean mustFail() {
        return kind() == Kind.WEBHOOK && index() % GONE_EVERY == 7;
    }

    /** The number of attempts that the job needs, if no runner dies. */
    int attempts() {
        if (mustFail()) {
            return GONE_ATTEMPTS;
        }
        return switch (kind()) {
            case PAYMENT -> index() % DECLINED_EVERY == 5 ? 2 : 1;
            case WEBHOOK -> index() % BUSY_EVERY == 1 ? 2 : index() % BUSY_EVERY == 2 ? 3 : 1;
            case MAIL, VIDEO -> 1;
        };
    }

    /** The result of a video. */
    int frames() {
        return 100 + n % 900;
    }

    /** The last line that a video logs. */
    String lastLine() {
        return "frame " + frames() + " of video " + n + " is done";
    }
}
