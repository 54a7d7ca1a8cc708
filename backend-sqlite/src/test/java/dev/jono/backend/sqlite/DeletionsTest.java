package dev.jono.backend.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deleted queues leave no row in the file, and a queue that gets a deleted queue's id does not inherit its history. */
class DeletionsTest {
    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("q.db");
    }

    private QueueFactory connect() {
        return QueueFactory.connect("sqlite:" + file());
    }

    private long rows(String table) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                ResultSet found = connection.createStatement().executeQuery("SELECT count(*) FROM " + table)) {
            found.next();
            return found.getLong(1);
        }
    }

    @Test
    void deletedQueuesLeaveNoRow() throws Exception {
        QueueOptions keeping =
                QueueOptions.builder().history(Duration.ofDays(1)).build();
        try (QueueFactory jono = connect()) {
            for (int i = 0; i < 100; i++) {
                MessageQueue<String> reply = jono.queue("reply-" + i, Codec.string(), keeping);
                reply.push("once");
                reply.reserve(Duration.ofSeconds(10)).orElseThrow().ack();
                assertThat(reply.stats().acked()).isEqualTo(1);
                reply.delete();
            }
            MessageQueue<String> paused = jono.queue("paused", Codec.string());
            paused.pause();
            paused.push("left");
            paused.deleteWithMessages();
        }
        for (String table : new String[] {"queue", "message", "history", "stat", "paused"}) {
            assertThat(rows(table)).as(table).isZero();
        }
    }

    /** SQLite assigns the id of the last row again after that row is deleted. */
    @Test
    void aReusedQueueIdHasNoHistory() throws Exception {
        try (QueueFactory jono = QueueFactory.connect("sqlite:" + file() + "?jono.history=1d")) {
            MessageQueue<String> first = jono.queue("first", Codec.string());
            for (int i = 0; i < 2500; i += 500) {
                first.pushAll(Collections.nCopies(500, "a"));
            }
            while (!first.pop(500, Duration.ZERO).isEmpty()) {
                assertThat(first.historySize()).isPositive();
            }
            assertThat(first.historySize()).isEqualTo(2500);
            first.delete();
            MessageQueue<String> second = jono.queue("second", Codec.string());
            second.push("b");
            assertThat(second.historySize()).isZero();
            assertThat(first.historySize()).isZero();
        }
    }
}
