package dev.jono.backend.keusspostgres;

import static dev.jono.testkit.RawBackend.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.BrowseRequest;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TableScans;
import dev.jono.testkit.server.TestSchema;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The server keeps the plans of statements. Those that it makes while a queue is empty must serve a full one too: none reads the
 * whole table.
 */
class PlansTest {
    /** The driver and the server each wait for five runs before they keep a statement and its plan. */
    private static final int RUNS = 15;

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
        return RawBackend.open(Fixture.url(schema.jdbcUrl(), schema.name()) + "&jono.pool=1");
    }

    private static Receipt reserved(RawBackend raw) {
        return RawBackend.receipt(raw.claim(1).messages().get(0));
    }

    private static void useEverything(RawBackend raw) {
        raw.claim(10);
        raw.insert("a", "b", "c");
        Receipt held = reserved(raw);
        got(raw.store()
                .extend(ExtendRequest.builder()
                        .receipts(List.of(held))
                        .leaseMillis(10_000)
                        .token(RawBackend.token())
                        .build()));
        got(raw.store()
                .release(ReleaseRequest.builder()
                        .items(List.of(ReleaseRequest.Item.of(held, Due.now(), true)))
                        .token(RawBackend.token())
                        .build()));
        got(raw.store().ack(RawBackend.acking(raw.claim(1).messages().get(0))));
        got(raw.store()
                .move(MoveRequest.builder()
                        .items(List.of(MoveItem.builder()
                                .receipt(reserved(raw))
                                .toQueue("another")
                                .build()))
                        .token(RawBackend.token())
                        .build()));
        assertThat(raw.take(1)).hasSize(1);
        got(raw.store().browse(BrowseRequest.builder().build()));
        got(raw.store()
                .remove(RemoveRequest.builder()
                        .ids(List.of("none"))
                        .token(RawBackend.token())
                        .build()));
        got(raw.backend().probe(ProbeRequest.builder().queues(List.of("orders")).build()));
    }

    @Test
    void noStatementReadsTheWholeTable() {
        try (RawBackend raw = backend()) {
            raw.insert("a");
            raw.take(1);
        }
        TableScans scans = new TableScans(schema, "_k_tbl_orders");
        scans.vacuum();
        TableScans.Counted before = scans.awaitMoreThan(0);
        try (RawBackend raw = backend()) {
            for (int run = 0; run < RUNS; run++) {
                useEverything(raw);
            }
        }
        TableScans.Counted after = scans.awaitMoreThan(before.byIndex() + 3 * RUNS);
        assertThat(after.whole()).isEqualTo(before.whole());
    }
}
