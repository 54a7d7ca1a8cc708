package dev.jono.spring.actuate;

import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.spring.listener.ListenerContainer;
import dev.jono.spring.listener.ListenerContainerRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** The types that have jobs, and those that the application defines, with the number of jobs in each state. */
final class JobSection implements EndpointSection {
    private final UsedJobs used;
    private final @Nullable ListenerContainerRegistry registry;
    private final ObjectProvider<JobType<?, ?>> declared;

    /**
     * A section.
     *
     * @param registry the listeners; null if the application has none
     * @param declared the types that are beans
     */
    JobSection(UsedJobs used, @Nullable ListenerContainerRegistry registry, ObjectProvider<JobType<?, ?>> declared) {
        this.used = used;
        this.registry = registry;
        this.declared = declared;
    }

    /**
     * A type of jobs.
     *
     * @param counts the number of jobs by state; zeros are left out
     * @param paused whether no job of it starts
     */
    record Entry(String type, Map<JobState, Long> counts, boolean paused) {}

    @Override
    public String name() {
        return "jobs";
    }

    @Override
    public Map<String, Map<JobState, Long>> entries() {
        Map<String, Map<JobState, Long>> entries = new TreeMap<>();
        used.find().ifPresent(jobs -> {
            defined().forEach(type -> entries.put(type, Map.of()));
            entries.putAll(jobs.counts());
        });
        return entries;
    }

    /** The types that the application defines, whether or not they have jobs. */
    private Set<String> defined() {
        Set<String> types = new TreeSet<>();
        declared.forEach(type -> types.add(type.name()));
        if (registry != null) {
            registry.containers().stream()
                    .filter(ListenerContainer::runsJobs)
                    .forEach(container -> types.addAll(container.sources()));
        }
        return types;
    }

    /** The jobs, if the application defines the type, it is paused, or it has jobs. */
    private Optional<Jobs> find(String name) {
        String type = JobType.of(name, Void.class).name();
        return used.find()
                .filter(jobs -> defined().contains(type)
                        || jobs.isPaused(type)
                        || !jobs.counts(type).isEmpty());
    }

    @Override
    public @Nullable Entry entry(String name) {
        return find(name).map(jobs -> entry(jobs, name)).orElse(null);
    }

    private static Entry entry(Jobs jobs, String type) {
        return new Entry(type, jobs.counts(type), jobs.isPaused(type));
    }

    @Override
    public String missing(String name) {
        return used.find().isEmpty()
                ? UsedJobs.NONE
                : "there is no job type '" + name
                        + "': it has no jobs, is not paused, and the application does not define it."
                        + " The application defines " + defined();
    }

    @Override
    public List<String> actions() {
        return List.of("pause", "resume");
    }

    @Override
    public @Nullable Entry act(String name, String action) {
        Jobs jobs = find(name).orElse(null);
        if (jobs == null) {
            return null;
        }
        if (action.equals("pause")) {
            jobs.pause(name);
        } else {
            jobs.resume(name);
        }
        return entry(jobs, name);
    }
}
