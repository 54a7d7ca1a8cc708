package dev.jono.benchmarks.compare;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.jono.JonoClock;
import dev.jono.benchmarks.Callers;
import dev.jono.benchmarks.QueueClient.Step;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Drives db-scheduler on PostgreSQL, or on a SQLite file with the same durability as Jono (WAL, {@code synchronous=FULL}). A
 * message is the data of a one-time task. At its best: {@code scheduleBatch} of 100, and a scheduler that polls every 50 ms. On
 * SQLite it has 4 threads: there is one writer, and more threads are slower. On PostgreSQL it has 16, and polls with {@code
 * lock-and-fetch}, which does not support SQLite.
 */
final class DbSchedulerDriver implements Driver {
    private static final int BATCH = 100;
    private static final int SQLITE_THREADS = 4;
    private static final int POSTGRES_THREADS = 16;

    private final boolean postgres;
    private final int threads;
    private final HikariDataSource pool;
    private final OneTimeTask<String> task;
    private final SchedulerClient client;
    private final AtomicLong ids = new AtomicLong();
    private final String own = Long.toHexString(ProcessHandle.current().pid());
    private final Callers callers = new Callers();
    private final SendWindow sends = new SendWindow(1);
    private volatile @Nullable TakeProgress progress;
    private List<OneTimeTask<String>> tasks = List.of();

    DbSchedulerDriver(Map<String, String> settings) throws Exception {
        String file = settings.get("file");
        this.postgres = file == null;
        this.threads = postgres ? POSTGRES_THREADS : SQLITE_THREADS;
        this.pool = file == null
                ? PostgresPool.open(Drivers.need(settings, "url"), threads + 2)
                : SqlitePool.open(file, threads + 2);
        String time = postgres ? "TIMESTAMPTZ" : "TIMESTAMP";
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS scheduled_tasks (task_name TEXT NOT NULL, task_instance TEXT NOT NULL,"
                            + " task_data " + (postgres ? "BYTEA" : "BLOB") + ", execution_time " + time
                            + " NOT NULL, picked BOOLEAN NOT NULL, picked_by TEXT, last_success " + time
                            + ", last_failure " + time + ", consecutive_failures INT, last_heartbeat " + time
                            + ", version BIGINT NOT NULL, priority SMALLINT, PRIMARY KEY (task_name, task_instance))");
            statement.execute("CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time)");
            statement.execute("CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
        }
        this.task = task(Drivers.need(settings, "queue"));
        this.client = SchedulerClient.Builder.create(pool, task).build();
    }

    private OneTimeTask<String> task(String name) {
        return Tasks.oneTime(name, String.class).execute((instance, context) -> {
            TakeProgress in = progress;
            if (in != null) {
                in.arrived(instance.getData());
            }
        });
    }

    private TaskInstance<String> instance(OneTimeTask<String> of, String text) {
        return of.instance(own + "-" + ids.incrementAndGet(), text);
    }

    /** Uses one task per queue. */
    @Override
    public void openQueues(int count) {
        if (tasks.size() != count) {
            tasks = IntStream.range(0, count)
                    .mapToObj(i -> task(task.getName() + "-" + i))
                    .toList();
        }
    }

    @Override
    public void pushToQueues(Payloads payloads, int width) throws Exception {
        callers.each(
                Math.min(width, threads),
                payloads.count(),
                i -> client.scheduleIfNotExists(instance(tasks.get(i % tasks.size()), payloads.text(i)), now()));
    }

    @Override
    public void takeFromQueues(Step step, TakeProgress in, int width) {
        take(List.copyOf(tasks), in, threads);
    }

    @Override
    public void push(Payloads payloads, int width) throws Exception {
        if (width != BEST) {
            callers.each(Math.min(width, threads), payloads.count(), index -> sendOne(payloads.text(index)));
            return;
        }
        List<String> all = payloads.all();
        for (int from = 0; from < all.size(); from += BATCH) {
            sendBatch(all.subList(from, Math.min(from + BATCH, all.size())));
        }
    }

    private void sendBatch(List<String> texts) {
        List<TaskInstance<?>> instances = new ArrayList<>();
        texts.forEach(text -> instances.add(instance(task, text)));
        client.scheduleBatch(instances, now());
    }

    private static Instant now() {
        return Instant.ofEpochMilli(JonoClock.system().wallMillis());
    }

    private void sendOne(String text) {
        client.scheduleIfNotExists(instance(task, text), now());
    }

    @Override
    public void send(String text) throws Exception {
        sends.blocking(1, () -> sendOne(text));
    }

    @Override
    public void sendAll(List<String> texts) throws Exception {
        sends.blocking(texts.size(), () -> sendBatch(texts));
    }

    @Override
    public void flush() throws Exception {
        sends.await();
    }

    @Override
    public void take(Step step, TakeProgress in, int width) {
        take(List.of(task), in, width == BEST ? threads : Math.min(width, threads));
    }

    private void take(List<Task<?>> known, TakeProgress in, int atOnce) {
        progress = in;
        SchedulerBuilder building = Scheduler.create(pool, known)
                .threads(atOnce)
                .pollingInterval(Duration.ofMillis(50))
                .addSchedulerListener(new Settled(in));
        if (postgres) {
            // As its documentation recommends for a high throughput on PostgreSQL.
            building.pollUsingLockAndFetch(1.0, 4.0);
        }
        Scheduler scheduler = building.build();
        scheduler.start();
        while (in.isOpen()) {
            LockSupport.parkNanos(5_000_000);
        }
        scheduler.stop();
        progress = null;
    }

    /** Reports each task whose row has been removed. */
    private static final class Settled extends AbstractSchedulerListener {
        private final TakeProgress progress;

        Settled(TakeProgress progress) {
            this.progress = progress;
        }

        @Override
        public void onExecutionComplete(ExecutionComplete complete) {
            if (complete.getResult() == ExecutionComplete.Result.OK) {
                progress.settled(1);
            }
        }
    }

    @Override
    public void close() {
        callers.close();
        sends.close();
        pool.close();
    }
}
