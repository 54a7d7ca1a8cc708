package dev.jono.backend.postgres;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.inserting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.EncodedPayload;
import dev.jono.JonoClock;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.StoredMessage;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.SqlTransaction;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A transaction of an application adds a message to a keyed queue, and commits late. */
class LateCommitTest {
    private TestSchema schema;
    private RawBackend backend;
    private QueueStore queue;
    private PostgresLink link;
    private Connection application;

    @BeforeEach
    void open() throws SQLException {
        schema = TestSchema.in(PostgresServer.sharedUrl());
        backend = RawBackend.open(schema.jonoUrl());
        queue = backend.backend()
                .queue(QueueSpec.builder().name("keyed").maxPerKey(1).build());
        link = Fixture.link(schema);
        application = link.connection("test");
        application.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        link.giveBack(application);
        link.close();
        backend.close();
        schema.close();
    }

    private static NewMessage keyed(String payload) {
        return NewMessage.builder()
                .payload(EncodedPayload.of(PayloadKind.STRING, payload.getBytes(StandardCharsets.UTF_8)))
                .headers(PushOptions.none().key("k").headers())
                .build();
    }

    private void insertWithinTheApplication(String payload) throws SQLException {
        SqlTransaction tx = link.within(application);
        QueueView view = QueueView.of(
                QueueSpec.builder().name("keyed").maxPerKey(1).build(),
                schema.name(),
                0,
                new LooksByName(JonoClock.system()::nanos));
        new Inserts(tx, "keyed", Queues.findToAdd(tx, view, "keyed")).insert(List.of(keyed(payload)));
    }

    private List<StoredMessage> claim() {
        return got(queue.claim(claiming(10))).messages();
    }

    private String claimOne() {
        List<StoredMessage> claimed = claim();
        assertThat(claimed).hasSize(1);
        got(queue.ack(acking(claimed.get(0))));
        return claimed.get(0).payload().text();
    }

    @Test
    void laterMessagesOfTheKeyComeAfterIt() throws Exception {
        got(queue.insert(inserting(keyed("0"))));
        insertWithinTheApplication("1");
        CompletableFuture<?> later = CompletableFuture.runAsync(() -> got(queue.insert(inserting(keyed("2")))));
        assertThat(claimOne()).isEqualTo("0");
        assertThat(claim()).isEmpty();
        assertThat(later).isNotDone();
        application.commit();
        later.join();
        assertThat(claimOne()).isEqualTo("1");
        assertThat(claimOne()).isEqualTo("2");
    }

    @Test
    void ackThatEndsTheLastVisibleMessageDoesNotWait() throws Exception {
        got(queue.insert(inserting(keyed("0"))));
        List<StoredMessage> held = claim();
        insertWithinTheApplication("1");
        got(queue.ack(acking(held.get(0))));
        assertThat(claim()).isEmpty();
        application.commit();
        assertThat(claimOne()).isEqualTo("1");
        got(queue.insert(inserting(keyed("2"))));
        assertThat(claimOne()).isEqualTo("2");
        assertThat(rows("ordering_key") + rows("promotion")).isZero();
    }

    @Test
    void messageThatIsRolledBackHoldsNothingUp() throws Exception {
        got(queue.insert(inserting(keyed("0"))));
        List<StoredMessage> held = claim();
        insertWithinTheApplication("lost");
        got(queue.ack(acking(held.get(0))));
        application.rollback();
        got(queue.insert(inserting(keyed("1"))));
        Awaitility.await("the next message")
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(claimOne()).isEqualTo("1"));
        assertThat(claim()).isEmpty();
        assertThat(rows("ordering_key") + rows("promotion")).isZero();
    }

    private long rows(String table) throws SQLException {
        try (var statement = application.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM " + schema.name() + "." + table)) {
            row.next();
            return row.getLong(1);
        }
    }
}
