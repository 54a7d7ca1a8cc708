package dev.jono.spring.autoconfigure;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** The names of the queues that the application configures, and of those that were injected into its beans. Thread-safe. */
public final class UsedQueues {
    private final Set<String> names;

    UsedQueues(Collection<String> configured) {
        this.names = new ConcurrentSkipListSet<>(configured);
    }

    void add(String injected) {
        names.add(injected);
    }

    /** The names. */
    public Set<String> names() {
        return Set.copyOf(names);
    }
}
