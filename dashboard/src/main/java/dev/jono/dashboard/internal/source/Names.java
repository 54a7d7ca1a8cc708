package dev.jono.dashboard.internal.source;

import dev.jono.QueueFactory;
import dev.jono.jobs.Jobs;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The names of the queues and of the types of jobs in a storage, sorted. Finding them is a search over the whole storage.
 *
 * @param queues the queues that no jobs use
 * @param lanes the queues that jobs use
 * @param types the types of jobs; none where jobs cannot be used
 */
public record Names(NavigableSet<String> queues, NavigableSet<String> lanes, NavigableSet<String> types) {
    private static final String OF_JOBS = "{jobs:";

    static Names search(QueueFactory jono, Optional<Jobs> jobs) {
        TreeSet<String> queues = new TreeSet<>();
        TreeSet<String> lanes = new TreeSet<>();
        for (String queue : jono.queues()) {
            (queue.startsWith(OF_JOBS) ? lanes : queues).add(queue);
        }
        return new Names(queues, lanes, new TreeSet<>(jobs.map(Jobs::types).orElseGet(TreeSet::new)));
    }

    /** Whether there is a queue with this name. */
    public boolean hasQueue(String queue) {
        return queues.contains(queue) || lanes.contains(queue);
    }
}
