package dev.jono.spring.jobs;

import dev.jono.WorkerStatus;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobRunnerBuilder;
import dev.jono.jobs.Jobs;
import dev.jono.spring.listener.AbstractContainer;
import java.time.Duration;
import java.util.List;

/** The runner of all job methods. When it starts, it declares the schedules. */
final class JobRunnerContainer extends AbstractContainer<JobRunner> {
    /** The id of the container. */
    static final String ID = "jobs";

    private final Jobs jobs;
    private final JobRunnerSettings settings;
    private final List<RunnerEntry<?, ?>> definitions;
    private final List<DeclaredSchedule> schedules;

    JobRunnerContainer(
            Jobs jobs,
            JobRunnerSettings settings,
            List<RunnerEntry<?, ?>> definitions,
            List<DeclaredSchedule> schedules) {
        super(ID, settings.concurrency(), settings.autoStartup());
        this.jobs = jobs;
        this.settings = settings;
        this.definitions = List.copyOf(definitions);
        this.schedules = List.copyOf(schedules);
    }

    @Override
    public List<String> sources() {
        return definitions.stream().map(definition -> definition.type().name()).toList();
    }

    @Override
    public boolean runsJobs() {
        return true;
    }

    @Override
    protected JobRunner startWorker() {
        JobRunnerBuilder builder = jobs.runner().concurrency(settings.concurrency());
        if (settings.lease() != null) {
            builder.lease(settings.lease());
        }
        if (settings.name() != null) {
            builder.name(settings.name());
        }
        if (settings.strictPriorities()) {
            builder.strictPriorities();
        }
        definitions.forEach(definition -> definition.addTo(builder));
        schedules.forEach(schedule -> schedule.declare(jobs));
        return builder.start();
    }

    @Override
    protected boolean stopWorker(JobRunner running, Duration timeout) {
        return running.stop(timeout);
    }

    @Override
    protected WorkerStatus statusOf(JobRunner running) {
        return running.status();
    }
}
