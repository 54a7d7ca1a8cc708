package dev.jono.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.ChildJvm;
import dev.jono.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Relays that are killed, from a SQLite file to Redis. */
@Tag("fault")
class OutboxCrashTest {
    private static final int MESSAGES = 3_000;
    private static final int KILLS = 2;

    @TempDir
    Path folder;

    private final String redis = "redis-oq:" + RedisServer.sharedUri() + "?jono.prefix=" + UUID.randomUUID() + ":";

    /** A process with an outbox. */
    static final class RelayingProcess {
        private RelayingProcess() {}

        public static void main(String[] arguments) throws Exception {
            try (TestDatabase.Opened database = TestDatabase.SQLITE.open(Path.of(arguments[0]));
                    QueueFactory jono = QueueFactory.connect(arguments[1]);
                    Outbox outbox = Outbox.on(database, jono)
                            .batch(50)
                            .pollInterval(Duration.ofMillis(5))
                            .start()) {
                System.out.println("relaying");
                if (System.in.read() < 0) {
                    outbox.committed();
                }
            }
        }
    }

    @Test
    void killedRelaysLoseAndRepeatNothing() throws Exception {
        try (TestDatabase.Opened database = TestDatabase.SQLITE.open(folder);
                QueueFactory jono = QueueFactory.connect(redis)) {
            Outbox table = Outbox.on(database, jono).start();
            table.close(); // this process does not relay
            store(database, table);
            MessageQueue<Integer> queue = jono.queue("numbers", Integer.class);
            for (int kill = 1; kill <= KILLS; kill++) {
                killAfter(queue, kill * MESSAGES / (KILLS + 1));
            }
            try (ChildJvm last = start()) {
                last.await("the last relay", child -> child.lines().contains("relaying"));
                // The killed one keeps the lease for ten seconds.
                Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> table.waiting() == 0);
                assertThat(queue.totalSize()).as("messages in the queue").isEqualTo(MESSAGES);
            }
            List<Integer> all = new ArrayList<>();
            for (var next = queue.pop(500, Duration.ZERO); !next.isEmpty(); next = queue.pop(500, Duration.ZERO)) {
                next.forEach(message -> all.add(message.payload()));
            }
            assertThat(all)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, MESSAGES).boxed().toList());
            queue.delete();
        }
    }

    private static void store(TestDatabase.Opened database, Outbox outbox) throws Exception {
        OutboxQueue<Integer> numbers = outbox.queue("numbers", Integer.class);
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < MESSAGES; i++) {
                numbers.push(connection, i);
            }
            connection.commit();
        }
    }

    private ChildJvm start() {
        return ChildJvm.start(RelayingProcess.class, folder.toString(), redis);
    }

    /** Kills a relaying process when the queue has at least this many messages. */
    private void killAfter(MessageQueue<Integer> queue, long messages) throws IOException {
        try (ChildJvm relaying = start()) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> queue.totalSize() >= messages);
            relaying.kill();
        }
    }
}
