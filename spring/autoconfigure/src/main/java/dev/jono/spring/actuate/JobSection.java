package dev.jono.spring.actuate;

import dev.jono.jobs.JobState;
import dev.jono.jobs.Jobs;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types of jobs, with the number of jobs in each state. */
final class JobSection implements EndpointSection {
    private final UsedJobs used;

    JobSection(UsedJobs used) {
        this.used = used;
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
        return used.find().map(Jobs::counts).orElse(Map.of());
    }

    @Override
    public @Nullable Entry entry(String name) {
        Map<JobState, Long> counts = entries().get(name);
        return counts == null
                ? null
                : new Entry(name, counts, used.find().orElseThrow().isPaused(name));
    }

    @Override
    public List<String> actions() {
        return List.of("pause", "resume");
    }

    @Override
    public boolean act(String name, String action) {
        if (!entries().containsKey(name)) {
            return false;
        }
        Jobs jobs = used.find().orElseThrow();
        if (action.equals("pause")) {
            jobs.pause(name);
        } else {
            jobs.resume(name);
        }
        return true;
    }
}
