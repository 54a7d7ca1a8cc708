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
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TableScans;
import dev.jono.testkit.server.TestSchema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server keeps the plans of statements. Those that it makes while a queue is empty must serve a full one too: none reads the
 * whole table.
 */
class PlansTest {
    /** The driver and the server each wait for five runs before they keep a statement and its plan. */
    private static final int RUNS = 15;

    private static final int BLOCKED = 1_000;

    private TestSchema schema;

    @BeforeEach
    void open() {
        schema = TestSchema.in(PostgresServer.sharedUrl());
    }

    @AfterEach
    void close() {
        schema.close();
    }

    private RawBackend backend() {
        return RawBackend.open(schema.jonoUrl() + "&jono.pool=1");
    }

    private static NewMessage message(String payload, boolean keyed) {
        return keyed ? keyed(payload, "k") : RawBackend.message(payload);
    }

    private static NewMessage keyed(String payload, String key) {
        return NewMessage.builder()
                .payload(EncodedPayload.of(PayloadKind.STRING, payload.getBytes(StandardCharsets.UTF_8)))
                .headers(PushOptions.none().key(key).headers())
                .build();
    }

    private static StoredMessage claimed(QueueStore store) {
        return got(store.claim(claiming(1))).messages().get(0);
    }

    private static void useEverything(RawBackend raw, QueueStore store, boolean keyed) {
        got(store.claim(claiming(10)));
        got(store.insert(inserting(message("a", keyed), message("b", keyed), message("c", keyed))));
        StoredMessage held = claimed(store);
        got(store.extend(ExtendRequest.builder()
                .receipts(List.of(receipt(held)))
                .leaseMillis(10_000)
                .token(token())
                .build()));
        got(store.release(ReleaseRequest.builder()
                .items(List.of(ReleaseRequest.Item.of(receipt(held), Due.now(), true)))
                .token(token())
                .build()));
        got(store.ack(acking(claimed(store))));
        got(store.move(MoveRequest.builder()
                .items(List.of(MoveItem.builder()
                        .receipt(receipt(claimed(store)))
                        .toQueue("another")
                        .build()))
                .token(token())
                .build()));
        assertThat(got(store.take(claiming(1))).messages()).hasSize(1);
        got(raw.queue("another").take(claiming(10)));
        got(store.counts(CountsRequest.builder().build()));
        got(store.browse(BrowseRequest.builder().build()));
        got(store.remove(
                RemoveRequest.builder().ids(List.of("1")).token(token()).build()));
        got(raw.backend().probe(ProbeRequest.builder().queues(List.of("used")).build()));
    }

    private static QueueStore store(RawBackend raw, boolean keyed) {
        QueueSpec.Builder queue = QueueSpec.builder().name("used");
        return raw.backend().queue((keyed ? queue.maxPerKey(1) : queue).build());
    }

    @ParameterizedTest(name = "keyed: {0}")
    @ValueSource(booleans = {false, true})
    void noStatementReadsTheWholeTable(boolean keyed) {
        try (RawBackend raw = backend()) {
            useEverything(raw, store(raw, keyed), keyed);
        }
        TableScans scans = new TableScans(schema, "message");
        scans.vacuum();
        TableScans.Counted before = scans.awaitMoreThan(0);
        try (RawBackend raw = backend()) {
            for (int run = 0; run < RUNS; run++) {
                useEverything(raw, store(raw, keyed), keyed);
            }
        }
        TableScans.Counted after = scans.awaitMoreThan(before.byIndex() + 3 * RUNS);
        assertThat(after.whole()).isEqualTo(before.whole());
    }

    private static void useKeys(QueueStore store) {
        got(store.insert(inserting(message("a", true), message("b", true))));
        got(store.ack(acking(claimed(store))));
        got(store.ack(acking(claimed(store))));
    }

    @Test
    void noStatementReadsAllBlockedMessages() {
        TableScans scans = new TableScans(schema, "message");
        try (RawBackend raw = backend()) {
            QueueStore store = store(raw, true);
            for (int run = 0; run < RUNS; run++) {
                useKeys(store);
            }
            got(store.insert(inserting(
                    Stream.generate(() -> keyed("x", "blocked")).limit(BLOCKED).toArray(NewMessage[]::new))));
            assertThat(claimed(store).payload().text()).isEqualTo("x"); // the others wait for it
            for (int run = 0; run < RUNS; run++) {
                useKeys(store);
            }
        }
        scans.awaitEntriesRead("message_free", RUNS);
        assertThat(scans.awaitEntriesRead("message_blocked", -1)).isLessThan(RUNS * BLOCKED / 5);
    }
}
