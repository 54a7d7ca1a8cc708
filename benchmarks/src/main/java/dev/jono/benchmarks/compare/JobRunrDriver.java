package dev.jono.benchmarks.compare;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.zaxxer.hikari.HikariDataSource;
import dev.jono.JonoClock;
import dev.jono.benchmarks.Callers;
import dev.jono.benchmarks.QueueClient.Step;
import java.io.Closeable;
import java.io.IOException;
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
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.nosql.mongo.MongoDBStorageProvider;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.storage.sql.sqlite.SqLiteStorageProvider;
import org.jspecify.annotations.Nullable;

/**
 * Drives JobRunr on MongoDB, on PostgreSQL, or on a SQLite file with the same durability as Jono. A message is a job request. It counts as settled when its handler has run, shortly before
 * JobRunr stores that. At its best: {@code enqueue} of a stream, and JobRunr's own choice of workers. It polls every 5
 * s, its minimum. By default it keeps succeeded jobs for 36 hours.
 */
final class JobRunrDriver implements Driver {
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration FIRST_POLL = Duration.ofMillis(1500);
    /** HikariCP's default. */
    private static final int CONNECTIONS = 10;

    private static final JonoClock CLOCK = JonoClock.system();

    private static final AtomicInteger WAITING = new AtomicInteger();

    private static volatile @Nullable TakeProgress progress;
    private static volatile CountDownLatch gate = new CountDownLatch(1);

    private final Closeable connections;
    private final StorageProvider storage;
    private final JobRequestScheduler scheduler;
    private final Callers callers = new Callers();
    private final SendWindow sends = new SendWindow(1);
    private @Nullable BackgroundJobServer server;

    JobRunrDriver(Map<String, String> settings) {
        String file = settings.get("file");
        String url = settings.getOrDefault("url", "");
        if (url.startsWith("jdbc:")) {
            HikariDataSource pool = PostgresPool.open(url, CONNECTIONS);
            this.connections = pool;
            this.storage = new PostgresStorageProvider(pool);
        } else if (file == null) {
            MongoClient client = MongoClients.create(MongoClientSettings.builder()
                    .applyConnectionString(new ConnectionString(Drivers.need(settings, "url")))
                    .uuidRepresentation(UuidRepresentation.STANDARD)
                    .build());
            this.connections = client;
            this.storage = new MongoDBStorageProvider(client, "jobrunr_" + Drivers.need(settings, "queue"));
        } else {
            HikariDataSource pool = SqlitePool.open(file, CONNECTIONS);
            this.connections = pool;
            this.storage = new SqLiteStorageProvider(pool);
        }
        JobRunrConfigurationResult made =
                JobRunr.configure().useStorageProvider(storage).initialize();
        this.scheduler = made.getJobRequestScheduler();
    }

    /** A job; JobRunr creates it from JSON. */
    public static final class Work implements JobRequest {
        private static final long serialVersionUID = 1;

        private String text = "";

        /** Called by JobRunr. */
        public Work() {}

        Work(String text) {
            this.text = text;
        }

        /** Returns the text of the message. */
        public String getText() {
            return text;
        }

        @Override
        public Class<Handler> getJobRequestHandler() {
            return Handler.class;
        }
    }

    /** Handles a job: waits at the gate, then reports the message. */
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
            TakeProgress in = Objects.requireNonNull(progress);
            in.arrived(work.getText());
            in.settled(1);
        }
    }

    @Override
    public void push(Payloads payloads, int width) throws Exception {
        if (width == BEST) {
            scheduler.enqueue(IntStream.range(0, payloads.count()).mapToObj(i -> new Work(payloads.text(i))));
        } else {
            callers.each(width, payloads.count(), index -> scheduler.enqueue(new Work(payloads.text(index))));
        }
    }

    @Override
    public void send(String text) throws Exception {
        sends.blocking(1, () -> scheduler.enqueue(new Work(text)));
    }

    @Override
    public void sendAll(List<String> texts) throws Exception {
        sends.blocking(texts.size(), () -> scheduler.enqueue(texts.stream().map(Work::new)));
    }

    @Override
    public void flush() throws Exception {
        sends.await();
    }

    /** Starts the job server. Its first jobs wait at a gate, so that the time until the first poll is not counted. */
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
        progress = in;
        gate.countDown();
        while (in.isOpen()) {
            LockSupport.parkNanos(5_000_000);
        }
        Objects.requireNonNull(server).stop();
    }

    @Override
    public void close() throws IOException {
        callers.close();
        sends.close();
        connections.close();
    }
}
