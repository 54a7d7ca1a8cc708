package dev.jono.micrometer;

/**
 * Recognizes the queues of jobs by their names. {@code jono-jobs} is not needed: the depths of a storage include the jobs of other
 * processes.
 */
final class JobQueues {
    private static final String PREFIX = "{jobs:";
    private static final String FAILED = "}:failed";

    private JobQueues() {}

    /** Whether a queue is one of a type of jobs. */
    static boolean isOne(String queue) {
        return queue.startsWith(PREFIX) && queue.indexOf("}:") > PREFIX.length();
    }

    /**
     * The name for meters, <code>{jobs:mail}</code> for all queues of the waiting and running jobs of a type. Failed jobs keep the name of
     * their queue: their number is not that of due jobs.
     *
     * @param queue one of a type of jobs
     */
    static String meterName(String queue) {
        return queue.endsWith(FAILED) ? queue : queue.substring(0, queue.indexOf("}:") + 1);
    }
}
