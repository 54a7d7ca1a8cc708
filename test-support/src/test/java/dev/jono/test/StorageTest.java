package dev.jono.test;

import static dev.jono.test.JobAssertions.assertThat;
import static dev.jono.test.JonoAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.testkit.SettableClock;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same tests on a file and on a server. */
class StorageTest {
    private static final JobType<String, Void> MAIL = JobType.of("mail", String.class);

    /** What works on every storage. */
    abstract static class Shared {
        @Test
        void workersAndAssertions(QueueFactory jono, JonoTester tester) {
            QueueOptions retried = QueueOptions.builder()
                    .backoff(Backoff.fixed(Duration.ofHours(1)))
                    .build();
            MessageQueue<String> orders = jono.queue("orders", Codec.string(), retried);
            List<Integer> attempts = new CopyOnWriteArrayList<>();
            jono.worker()
                    .from(orders, (order, delivery) -> {
                        attempts.add(delivery.attempt());
                        if (delivery.attempt() == 1) {
                            throw new IllegalStateException("the carrier is away");
                        }
                    })
                    .start();
            orders.push("skates");
            tester.awaitIdle();
            assertThat(orders).hasPushedOnly("skates").hasScheduled(1);
            assertThat(tester.makeDue(orders)).isEqualTo(1);
            tester.awaitIdle();
            assertThat(attempts).containsExactly(1, 2);
            assertThat(orders).isEmpty();
        }

        @Test
        void jobs(Jobs jobs, JonoTester tester) {
            JobHandle<Void> job = jobs.enqueue(MAIL, "ada");
            jobs.schedule("report", "0 3 * * *", ZoneOffset.UTC, MAIL, "boss");
            assertThat(jobs).hasEnqueued(MAIL, "ada");
            jobs.runner().handle(MAIL, (to, run) -> null).start();
            tester.awaitIdle();
            assertThat(jobs).hasSucceeded(job.id());
        }

        @Test
        void deadLetters(QueueFactory jono, JonoTester tester) throws Exception {
            ExtensionTest.reject(jono);
            assertThat(tester.takeDeadLetters()).hasSize(1);
            assertThat(tester.deadLetters()).isEmpty();
        }
    }

    static class OnSqlite extends Shared {
        @RegisterExtension
        static final JonoExtension JONO = JonoExtension.create().url("sqlite:{dir}/queues.db");
    }

    static class OnRedis extends Shared {
        @RegisterExtension
        static final JonoExtension JONO =
                JonoExtension.create().url(() -> "redis-oq:" + RedisServer.sharedUri() + "?jono.prefix={id}:");

        @Test
        void clock(SettableClock clock) {
            throw new AssertionError("there is a clock: " + clock.wall());
        }

        @Test
        void unseen(QueueFactory jono) throws Exception {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("skates");
            orders.pop(Duration.ZERO);
            assertThatThrownBy(() -> assertThat(orders).hasPushed("skates"))
                    .hasMessageContaining("'redis-oq' keeps no history");
        }
    }

    @Test
    void file() {
        assertThat(Samples.run(OnSqlite.class)).hasSize(3).allMatch(result -> result.endsWith("SUCCESSFUL"));
    }

    @Test
    void server() {
        RedisServer.sharedUri(); // skips this test if there is none
        assertThat(Samples.run(OnRedis.class))
                .hasSize(5)
                .filteredOn(result -> !result.endsWith("SUCCESSFUL"))
                .singleElement()
                .asString()
                .startsWith("clock(SettableClock) ABORTED")
                .contains("'redis-oq' has a clock that it cannot set");
    }

    /** A storage without placeholders, which the tests of a run share. */
    static class OnOneServer {
        static volatile String prefix = "";

        @RegisterExtension
        static final JonoExtension JONO =
                JonoExtension.create().url(() -> "redis-oq:" + RedisServer.sharedUri() + "?jono.prefix=" + prefix);

        @Test
        void leavesThings(QueueFactory jono, Jobs jobs) throws Exception {
            jono.queue("orders", Codec.string()).push("skates");
            jobs.enqueue(MAIL, "ada");
            jobs.schedule("report", "0 3 * * *", ZoneOffset.UTC, MAIL, "boss");
        }

        @Test
        void findsNothing(QueueFactory jono, Jobs jobs) {
            assertThat(jono.queues()).isEmpty();
            assertThat(jobs.schedules()).isEmpty();
            assertThat(jobs).hasNotEnqueued(MAIL);
            jobs.enqueue(MAIL, "bob");
        }
    }

    @Test
    void storageIsEmptiedAfterEachTest() {
        OnOneServer.prefix = "emptied:";
        String url = "redis-oq:" + RedisServer.sharedUri() + "?jono.prefix=emptied:";
        for (int run = 0; run < 2; run++) {
            assertThat(Samples.run(OnOneServer.class)).hasSize(2).allMatch(result -> result.endsWith("SUCCESSFUL"));
        }
        try (QueueFactory after = QueueFactory.connect(url)) {
            assertThat(after.queues()).isEmpty();
            assertThat(Jobs.on(after).counts()).isEmpty();
        }
    }

    @Test
    void storageWithQueuesIsLeftAlone() {
        OnOneServer.prefix = "kept:";
        try (QueueFactory owner = QueueFactory.connect("redis-oq:" + RedisServer.sharedUri() + "?jono.prefix=kept:")) {
            MessageQueue<String> precious = owner.queue("precious", Codec.string());
            precious.push("a");
            assertThat(Samples.run(OnOneServer.class))
                    .hasSize(2)
                    .allSatisfy(result -> assertThat(result).contains("FAILED", "already has queues", "[precious]"));
            assertThat(precious.totalSize()).isEqualTo(1);
            precious.deleteWithMessages();
        }
    }
}
