package dev.jono.jobs.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TableScans;
import dev.jono.testkit.server.TestSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements that ran while there were no records must not read the whole table when there are many. */
class PlansTest {
    /** The driver and the server each wait for five runs before they keep a statement and its plan. */
    private static final int RUNS = 15;

    private static final int RECORDS = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final JobType<String, Void> TYPE = JobType.of("resize", String.class);

    private TestSchema schema;

    @BeforeEach
    void open() {
        schema = TestSchema.in(PostgresServer.sharedUrl());
    }

    @AfterEach
    void close() {
        schema.close();
    }

    private QueueFactory connect() {
        return QueueFactory.connect(schema.jonoUrl() + "&jono.pool=1&jono.signal=poll");
    }

    /** Enqueues and runs jobs one by one, and removes their records. */
    private static void useJobs(Jobs jobs) throws Exception {
        JobRunner runner = jobs.runner().handle(TYPE, (text, run) -> null).start();
        try {
            for (int i = 0; i < RUNS; i++) {
                JobHandle<Void> job = jobs.enqueue(TYPE, "a");
                job.await(PATIENCE);
                assertThat(jobs.get(job.id())).isPresent();
                Awaitility.await("the ack, and the removal").until(() -> jobs.remove(job.id()));
            }
        } finally {
            runner.close();
        }
    }

    private void addRecords() throws SQLException {
        try (Connection connection = DriverManager.getConnection(schema.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO " + schema.name()
                    + ".job (id, type, state, attempt, changed, tags, document)"
                    + " SELECT 'x' || n, 'other', 2, 1, n, '{}', '{}' FROM generate_series(1, " + RECORDS + ") AS n");
        }
    }

    @Test
    void noStatementReadsAllRecords() throws Exception {
        TableScans scans = new TableScans(schema, "job");
        connect().close();
        scans.vacuum();
        try (QueueFactory jono = connect()) {
            Jobs jobs = Jobs.on(jono);
            useJobs(jobs);
            addRecords();
            useJobs(jobs);
        }
        assertThat(scans.awaitMoreThan(RUNS).wholeRows()).isLessThan(RECORDS);
    }
}
