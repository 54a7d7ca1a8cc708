package dev.jono.spring.actuate;

import dev.jono.jobs.Jobs;
import dev.jono.jobs.ScheduleView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The schedules of the storage. */
final class ScheduleSection implements EndpointSection {
    private final UsedJobs used;

    ScheduleSection(UsedJobs used) {
        this.used = used;
    }

    /**
     * A schedule.
     *
     * @param type the type of its jobs
     * @param next the next occurrence; null while it is paused
     * @param last the last occurrence; null if there was none
     */
    record Entry(
            String name,
            String cron,
            String zone,
            String type,
            boolean paused,
            @Nullable Instant next,
            @Nullable Instant last) {
        static Entry of(ScheduleView view) {
            return new Entry(
                    view.name(),
                    view.cron(),
                    view.zone().getId(),
                    view.type(),
                    view.isPaused(),
                    view.next().orElse(null),
                    view.last().orElse(null));
        }
    }

    @Override
    public String name() {
        return "schedules";
    }

    @Override
    public List<Entry> entries() {
        return used.find().map(Jobs::schedules).orElse(List.of()).stream()
                .map(Entry::of)
                .toList();
    }

    @Override
    public @Nullable Entry entry(String name) {
        return entries().stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    @Override
    public String missing(String name) {
        return used.find().isEmpty()
                ? UsedJobs.NONE
                : "there is no schedule '" + name + "'. There are "
                        + entries().stream().map(Entry::name).toList();
    }

    @Override
    public List<String> actions() {
        return List.of("pause", "resume", "run");
    }

    @Override
    public @Nullable Entry act(String name, String action) {
        Optional<Jobs> jobs = used.find();
        return jobs.isPresent() && act(jobs.get(), name, action) ? entry(name) : null;
    }

    private static boolean act(Jobs jobs, String name, String action) {
        return switch (action) {
            case "pause" -> jobs.pauseSchedule(name);
            case "resume" -> jobs.resumeSchedule(name);
            default -> jobs.runSchedule(name).isPresent();
        };
    }
}
