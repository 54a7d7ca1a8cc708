package dev.jono.backend.postgres;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.inserting;
import static dev.jono.testkit.RawBackend.receipt;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TableScans;
import dev.jono.testkit.server.TestSchema;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction that is open elsewhere keeps vacuum from removing the traces of messages that were acked. */
class HeldVacuumTest {
    private static final int BATCH = 500;
    private static final int ACKED = 60 * BATCH;
    private static final int CLAIMS = 100;
    private static final int CLAIM_SIZE = 10;

    private TestSchema schema;
    private RawBackend backend;
    private QueueStore queue;
    private PostgresLink link;
    private Connection elsewhere;

    @BeforeEach
    void open() throws SQLException {
        schema = TestSchema.in(PostgresServer.sharedUrl());
        backend = RawBackend.open(schema.jonoUrl());
        queue = queue(backend, false);
        link = Fixture.link(schema);
        elsewhere = link.connection("test");
        elsewhere.setAutoCommit(false);
        elsewhere.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (var statement = elsewhere.createStatement()) {
            statement.execute("SELECT 1 FROM pg_class");
        }
    }

    @AfterEach
    void close() throws SQLException {
        link.giveBack(elsewhere);
        link.close();
        backend.close();
        schema.close();
    }

    private static QueueStore queue(RawBackend backend, boolean keyed) {
        return backend.backend()
                .queue(QueueSpec.builder()
                        .name(keyed ? "keyed" : "busy")
                        .maxPerKey(keyed ? 1 : 0)
                        .build());
    }

    private void push(int messages) {
        got(queue.insert(inserting(IntStream.range(0, messages)
                .mapToObj(number -> message("m" + number, "k" + number % BATCH))
                .toArray(NewMessage[]::new))));
    }

    /** In a queue without keys, the key is a header. */
    private static NewMessage message(String payload, String key) {
        return NewMessage.builder()
                .payload(EncodedPayload.of(PayloadKind.STRING, payload.getBytes(StandardCharsets.UTF_8)))
                .headers(PushOptions.none().key(key).headers())
                .build();
    }

    /** Claims and acks, and pushes as many. */
    private List<String> replaced(int messages) {
        List<StoredMessage> claimed = got(queue.claim(claiming(messages))).messages();
        got(queue.ack(acking(claimed.toArray(StoredMessage[]::new))));
        push(claimed.size());
        return claimed.stream().map(StoredMessage::id).toList();
    }

    private void ackMany() {
        push(2 * BATCH);
        for (int acked = 0; acked < ACKED; acked += BATCH) {
            assertThat(replaced(BATCH)).hasSize(BATCH);
        }
    }

    @ParameterizedTest(name = "keyed: {0}")
    @ValueSource(booleans = {false, true})
    void claimsDoNotWalkOverTheTracesOfAckedMessages(boolean keyed) {
        queue = queue(backend, keyed);
        ackMany();
        backend.close(); // so that its connections report what they have read
        TableScans scans = new TableScans(schema, "message");
        long before = scans.awaitEntriesRead("message_free", ACKED);
        backend = RawBackend.open(schema.jonoUrl());
        queue = queue(backend, keyed);
        for (int claim = 0; claim < CLAIMS; claim++) {
            assertThat(replaced(CLAIM_SIZE)).hasSize(CLAIM_SIZE);
        }
        backend.close();
        long read = scans.awaitEntriesRead("message_free", before + CLAIMS * CLAIM_SIZE) - before;
        assertThat(read).isLessThan((long) CLAIMS * ACKED / 4);
    }

    @Test
    void messageThatAnotherProcessGivesBackIsFound() {
        push(1);
        try (RawBackend other = RawBackend.open(schema.jonoUrl())) {
            QueueStore theirs = queue(other, false);
            StoredMessage held = got(theirs.claim(claiming(1))).messages().get(0);
            ackMany();
            got(theirs.release(ReleaseRequest.builder()
                    .items(List.of(ReleaseRequest.Item.of(receipt(held), null, true)))
                    .token(token())
                    .build()));
            Awaitility.await("the message that was given back")
                    .atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> replaced(CLAIM_SIZE).contains(held.id()));
        }
    }
}
