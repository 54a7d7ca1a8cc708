package dev.jono.examples.videos;

import dev.jono.Backoff;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobRun;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts videos in the background. Those who submit a video can follow its progress, read its log, cancel it, and get the names of the
 * new files, from any process. Videos of customers who pay are converted first.
 *
 * <p>A conversion that fails is retried, with a growing delay. A file that is no video fails at once. If a process dies, another one
 * converts its videos when their leases have ended.
 */
public final class VideoConverter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VideoConverter.class);

    private final QueueFactory jono;
    private final Jobs jobs;
    private final JobType<Video, Converted> conversion;

    /**
     * Connects a converter.
     *
     * @param storage URL of the storage, such as {@code sqlite:/var/lib/videos.db}
     * @param backoff the delay between two attempts
     */
    public VideoConverter(String storage, Backoff backoff) {
        this.jono = QueueFactory.connect(storage);
        this.jobs = Jobs.on(jono);
        this.conversion = JobType.of("convert-video", Video.class)
                .returning(Converted.class)
                .maxAttempts(4)
                .backoff(backoff)
                .timeout(Duration.ofHours(2));
    }

    /** Submits a video. */
    public JobHandle<Converted> submit(Video video, boolean paid) {
        return jobs.enqueue(
                conversion, video, options -> options.priority(paid ? JobPriority.HIGH : JobPriority.NORMAL));
    }

    /** Starts to convert videos, up to this many at once. Closing the converter stops it, too. */
    public JobRunner start(int concurrency, Encoder encoder) {
        JobHandler<Video, Converted> handler = (video, run) -> convert(video, run, encoder);
        return jobs.runner()
                .concurrency(concurrency)
                .handle(conversion, handler)
                .start();
    }

    private static Converted convert(Video video, JobRun run, Encoder encoder) throws Exception {
        List<String> files = new ArrayList<>();
        for (String format : video.formats()) {
            run.progress(files.size(), video.formats().size());
            try {
                files.add(encoder.encode(video.file(), format));
            } catch (Encoder.UnreadableVideoException hopeless) {
                throw run.fail(String.valueOf(hopeless.getMessage()));
            }
            run.log("{} is done", format);
        }
        run.progress(files.size(), files.size());
        return new Converted(files);
    }

    /** A snapshot of a conversion; empty if there is no such job. */
    public Optional<JobView> find(String id) {
        return jobs.get(id);
    }

    /** The lines of the log of a conversion. */
    public List<String> log(String id) {
        return jobs.log(id).stream().map(line -> line.text()).toList();
    }

    /** Cancels a conversion; returns whether it had not ended. */
    public boolean cancel(String id) {
        return jobs.cancel(id, "cancelled by the customer");
    }

    /** Converts all videos again that have failed. Returns how many there are. */
    public int retryFailed() {
        return jobs.retryAll(JobQuery.ofType(conversion).state(JobState.FAILED), Integer.MAX_VALUE);
    }

    @Override
    public void close() {
        jono.close();
    }

    /** Arguments: {@code STORAGE_URL run}, {@code STORAGE_URL convert FILE FORMAT…}, or {@code STORAGE_URL show ID}. */
    public static void main(String[] args) throws InterruptedException {
        String command = args.length < 2 ? "" : args[1].toLowerCase(Locale.ROOT);
        if (!command.equals("run")
                && !(command.equals("convert") && args.length > 3)
                && !(command.equals("show") && args.length == 3)) {
            throw new IllegalArgumentException("expected: STORAGE_URL run | convert FILE FORMAT… | show ID");
        }
        VideoConverter converter = new VideoConverter(args[0], Backoff.standard());
        if (command.equals("run")) {
            runUntilStopped(converter);
        }
        try (converter) {
            if (command.equals("show")) {
                converter.find(args[2]).ifPresent(job -> LOG.info("{} {}", job.id(), job.state()));
            } else {
                List<String> formats = List.of(args).subList(3, args.length);
                LOG.info(
                        "submitted {}",
                        converter.submit(new Video(args[2], formats), false).id());
            }
        }
    }

    /** Never returns: the signal that ends the JVM runs the shutdown hook. */
    private static void runUntilStopped(VideoConverter converter) throws InterruptedException {
        JobRunner runner = converter.start(4, (file, format) -> file + '.' + format);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            runner.stop(Duration.ofSeconds(20));
                            converter.close();
                        },
                        "shutdown"));
        new CountDownLatch(1).await(); // Jono's threads are daemon threads
    }
}
