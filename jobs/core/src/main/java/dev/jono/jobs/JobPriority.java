package dev.jono.jobs;

/**
 * The priority of a job. A runner starts jobs of a higher priority more often. No priority starves, unless the runner
 * uses {@link JobRunnerBuilder#strictPriorities}. Kue uses the same names and numbers.
 */
public enum JobPriority {
    /** The highest priority: weight 16. */
    CRITICAL(-15, 16),
    /** Above {@link #MEDIUM}: weight 8. */
    HIGH(-10, 8),
    /** Above {@link #NORMAL}: weight 4. */
    MEDIUM(-5, 4),
    /** The default: weight 2. */
    NORMAL(0, 2),
    /** The lowest priority: weight 1. */
    LOW(10, 1);

    private final int number;
    private final int weight;

    JobPriority(int number, int weight) {
        this.number = number;
        this.weight = weight;
    }

    /** The number that Kue uses for this priority; lower numbers come first. */
    public int number() {
        return number;
    }

    /** The number of jobs of this priority that a busy runner starts for each job of priority {@link #LOW}. */
    public int weight() {
        return weight;
    }
}
