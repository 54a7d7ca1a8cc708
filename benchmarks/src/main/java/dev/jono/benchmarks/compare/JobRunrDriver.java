package dev.jono.benchmarks.compare;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.JonoClock;
import dev.jono.benchmarks.Callers;
import dev.jono.benchmarks.QueueClient.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.bson.UuidRepresentation;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration.JobRunrConfigurationResult;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.nosql.mongo.MongoDBStorageProvider;
import org.jspecify.annotations.Nullable;

/**
 * JobRunr on MongoDB. A message is a job request; done is what its handler has seen, a little before JobRunr notes it. At its best:
 * {@code enqueue} of a stream, and as many workers as it chooses itself; it polls each 5 s, as often as it lets one choose.
 */
final class JobRunrDriver implements Driver {
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration FIRST_POLL = Duration.ofMillis(1500);
    private static final JonoClock CLOCK = JonoClock.system();

    private static final AtomicInteger WAITING = new AtomicInteger();

    private static volatile @Nullable TakeProgress intake;
    private static volatile CountDownLatch gate = new CountDownLatch(1);

    private final MongoClient client;
    private final MongoDBStorageProvider storage;
    private final JobRequestScheduler scheduler;
    private final Callers callers = new Callers();
    private final SendWindow pending = new SendWindow(1);
    private @Nullable BackgroundJobServer server;

    JobRunrDriver(Map<String, String> settings) {
        this.client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(Drivers.need(settings, "url")))
                .uuidRepresentation(UuidRepresentation.STANDARD)
                .build());
        this.storage = new MongoDBStorageProvider(client, "jobrunr_" + Drivers.need(settings, "queue"));
        JobRunrConfigurationResult made =
                JobRunr.configure().useStorageProvider(storage).initialize();
        this.scheduler = made.getJobRequestScheduler();
    }

    /** A job. JobRunr makes it from JSON. */
    public static final class Work implements JobRequest {
        private static final long serialVersionUID = 1;

        private String text = "";

        /** For JobRunr. */
        public Work() {}

        Work(String text) {
            this.text = text;
        }

        /** What is to be done. */
        public String getText() {
            return text;
        }

        @Override
        public Class<Handler> getJobRequestHandler() {
            return Handler.class;
        }
    }

    /** What does it. */
    public static final class Handler implements JobRequestHandler<Work> {
        @Override
        public void run(Work work) {
            WAITING.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(ended);
            }
            TakeProgress in = Objects.requireNonNull(intake);
            in.arrived(work.getText());
            in.settled(1);
        }
    }

    @Override
    public void push(Payloads payloads, int width) throws Exception {
        if (width == BEST) {
            scheduler.enqueue(IntStream.range(0, payloads.count()).mapToObj(i -> new Work(payloads.text(i))));
        } else {
            callers.each(width, payloads.count(), place -> scheduler.enqueue(new Work(payloads.text(place))));
        }
    }

    @Override
    public void send(String text) throws Exception {
        pending.blocking(1, () -> scheduler.enqueue(new Work(text)));
    }

    @Override
    public void sendAll(List<String> texts) throws Exception {
        pending.blocking(texts.size(), () -> scheduler.enqueue(texts.stream().map(Work::new)));
    }

    @Override
    public void flush() throws Exception {
        pending.await();
    }

    /** Starts its server; what that takes to find its first jobs is not counted, so they stop at a gate. */
    @Override
    public void prepare(Step step, int width) {
        gate = new CountDownLatch(1);
        WAITING.set(0);
        BackgroundJobServerConfiguration configuration =
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(POLL);
        if (width != BEST) {
            configuration.andWorkerCount(width);
        }
        JobRunrConfigurationResult unused = JobRunr.configure()
                .useStorageProvider(storage)
                .useBackgroundJobServer(configuration)
                .initialize();
        server = JobRunr.getBackgroundJobServer();
        long end = CLOCK.nanos() + FIRST_POLL.toNanos();
        while (CLOCK.nanos() < end && WAITING.get() == 0) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Override
    public void take(Step step, TakeProgress in, int width) {
        intake = in;
        gate.countDown();
        while (in.open()) {
            LockSupport.parkNanos(5_000_000);
        }
        Objects.requireNonNull(server).stop();
    }

    @Override
    public void close() {
        callers.close();
        pending.close();
        client.close();
    }
}
