package dev.jono.examples.nightly;

import dev.jono.Backoff;
import dev.jono.QueueFactory;
import dev.jono.jobs.BatchView;
import dev.jono.jobs.JobBatch;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.UniqueMode;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * Imports the files of a supplier every night, and publishes the catalogue when all are loaded. Several processes share the work. If one
 * dies, the others continue; each file is loaded, and each catalogue is published once.
 */
public final class NightlyImport implements AutoCloseable {
    private static final String SCHEDULE = "nightly-import";

    /** A file of a night. */
    record File(String night, String name) {}

    private final QueueFactory jono;
    private final Jobs jobs;
    private final ZoneId zone;
    private final JobType<String, Void> begin = JobType.of("begin-import", String.class);
    private final JobType<File, Void> load;
    private final JobType<String, Void> publish = JobType.of("publish-catalogue", String.class);
    private final JobType<String, Void> report = JobType.of("report-import", String.class);

    /**
     * Connects to the storage.
     *
     * @param storage URL of the storage, such as {@code sqlite:/var/lib/import.db}
     * @param zone the time zone of the nights
     * @param backoff the delay between two attempts to load a file
     */
    public NightlyImport(String storage, ZoneId zone, Backoff backoff) {
        this.jono = QueueFactory.connect(storage);
        this.jobs = Jobs.on(jono);
        this.zone = zone;
        this.load = JobType.of("load-file", File.class)
                .unique(file -> file.night() + ' ' + file.name(), UniqueMode.UNTIL_DONE)
                .maxAttempts(3)
                .backoff(backoff);
    }

    /** Declares the import of every night. Each process calls this when it starts. */
    public void schedule(String cron) {
        jobs.schedule(SCHEDULE, cron, zone, begin, "");
    }

    /** Imports the files of a night now; empty for today. */
    public void importNow(String night) {
        jobs.enqueue(begin, night);
    }

    /** Starts to work, up to this many files at once. Closing the import stops it, too. */
    public JobRunner start(int concurrency, Catalogue catalogue) {
        return jobs.runner()
                .concurrency(concurrency)
                .handle(begin, (night, run) -> {
                    fill(night.isEmpty() ? LocalDate.now(zone).toString() : night, catalogue);
                    return null;
                })
                .handle(load, (file, run) -> {
                    catalogue.load(file.night(), file.name());
                    return null;
                })
                .handle(publish, (night, run) -> {
                    catalogue.publish(night);
                    return null;
                })
                .handle(report, (night, run) -> {
                    catalogue.report(night);
                    return null;
                })
                .start();
    }

    /** If the process dies meanwhile, the job that calls this runs again, and fills the same batch. */
    private void fill(String night, Catalogue catalogue) {
        if (find(night).filter(batch -> batch.state() != BatchView.State.OPEN).isPresent()) {
            return;
        }
        List<File> files = catalogue.files(night).stream()
                .map(name -> new File(night, name))
                .toList();
        JobBatch batch = batch(night);
        batch.enqueueAll(load, files, options -> options);
        batch.close();
    }

    private JobBatch batch(String night) {
        return jobs.batch("import-" + night, o -> o.onSuccess(publish, night).onFailure(report, night));
    }

    /** A snapshot of the import of a night. */
    public Optional<BatchView> find(String night) {
        return jobs.findBatch("import-" + night);
    }

    @Override
    public void close() {
        jono.close();
    }
}
