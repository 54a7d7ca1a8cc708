package dev.jono.backend.postgres;

import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.inserting;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.Due;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.support.postgres.Housekeeping;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.RecentCalls;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Where claims begin to look. Each call that puts a message behind that place moves it back.
 */
class LooksTest {
    private static final long PAST = 1_000_000;
    private static final long PRESENT = 2_000_000;

    private final AtomicLong nanosPerLook = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private final LooksByName looks = new LooksByName(nanos::get);

    private TestSchema schema;
    private PostgresLink link;

    @BeforeEach
    void open() {
        schema = TestSchema.in(PostgresServer.sharedUrl());
        link = Fixture.link(schema);
    }

    @AfterEach
    void close() {
        link.close();
        schema.close();
    }

    private PostgresQueueStore store(String name, int maxPerKey) {
        PluginConfig config = PluginConfig.builder()
                .url(ConnectionUrl.parse(schema.jonoUrl()))
                .executor(Runnable::run)
                .build();
        QueueSpec spec = QueueSpec.builder().name(name).maxPerKey(maxPerKey).build();
        return new PostgresQueueStore(
                link,
                QueueView.of(spec, schema.name(), 0, looks),
                new RecentCalls(link, nanos::get),
                new Housekeeping(link, config),
                () -> nanos.addAndGet(nanosPerLook.get()));
    }

    private PostgresQueueStore store() {
        return store("orders", 0);
    }

    private static NewMessage message(Due due) {
        return NewMessage.builder()
                .payload(EncodedPayload.of(PayloadKind.STRING, "x".getBytes(StandardCharsets.UTF_8)))
                .headers(PushOptions.none().key("k").headers())
                .due(due)
                .build();
    }

    private static StoredMessage claimed(PostgresQueueStore store) {
        return store.claim(claiming(1)).messages().get(0);
    }

    /** Looks have found enough, so the next one begins where the last one has found its first message. */
    private void raiseMark(String queue) {
        LowWaterMark free = Objects.requireNonNull(looks.find(queue)).free();
        free.end(free.begin(), PRESENT, PRESENT, true, 1);
        free.end(free.begin(), PRESENT, Long.MAX_VALUE, true, 1);
        assertThat(mark(queue)).isGreaterThan(PAST);
    }

    private long mark(String queue) {
        return Objects.requireNonNull(looks.find(queue)).free().begin().fromMillis();
    }

    @Test
    void pushOfAnotherStoreOfTheQueue() {
        PostgresQueueStore consumer = store();
        raiseMark("orders");
        store().insert(inserting(message(Due.atMillis(PAST))));
        assertThat(mark("orders")).isLessThanOrEqualTo(PAST);
        assertThat(claimed(consumer).dueMillis()).isEqualTo(PAST);
    }

    @Test
    void restore() {
        PostgresQueueStore store = store();
        store.insert(inserting(message(Due.atMillis(PAST))));
        List<StoredMessage> taken = store.take(claiming(1)).messages();
        raiseMark("orders");
        store.restore(RestoreRequest.builder().messages(taken).token(token()).build());
        assertThat(mark("orders")).isLessThanOrEqualTo(PAST);
    }

    @Test
    void release() {
        PostgresQueueStore store = store();
        store.insert(inserting(message(Due.atMillis(PAST))));
        StoredMessage held = claimed(store);
        raiseMark("orders");
        store.release(ReleaseRequest.builder()
                .items(List.of(ReleaseRequest.Item.of(Objects.requireNonNull(held.receipt()), null, true)))
                .token(token())
                .build());
        assertThat(mark("orders")).isLessThanOrEqualTo(PAST);
    }

    @Test
    void reschedule() {
        PostgresQueueStore store = store();
        String id =
                store.insert(inserting(message(Due.in(60_000)))).items().get(0).id();
        raiseMark("orders");
        store.reschedule(RescheduleRequest.builder()
                .ids(List.of(Objects.requireNonNull(id)))
                .due(Due.atMillis(PAST))
                .token(token())
                .build());
        assertThat(mark("orders")).isLessThanOrEqualTo(PAST);
    }

    @Test
    void moveIntoAnotherQueue() {
        PostgresQueueStore target = store("target", 0);
        PostgresQueueStore store = store();
        store.insert(inserting(message(Due.now())));
        StoredMessage held = claimed(store);
        raiseMark("target");
        store.move(MoveRequest.builder()
                .items(List.of(MoveItem.builder()
                        .receipt(Objects.requireNonNull(held.receipt()))
                        .toQueue("target")
                        .due(Due.atMillis(PAST))
                        .build()))
                .token(token())
                .build());
        assertThat(mark("target")).isLessThanOrEqualTo(PAST);
        assertThat(claimed(target).dueMillis()).isEqualTo(PAST);
    }

    @Test
    void moveOfAMessageThatKeepsItsDueTime() {
        PostgresQueueStore target = store("target", 0);
        PostgresQueueStore store = store();
        String id = store.insert(inserting(message(Due.atMillis(PAST))))
                .items()
                .get(0)
                .id();
        raiseMark("target");
        store.moveIdle(MoveIdleRequest.builder()
                .ids(List.of(Objects.requireNonNull(id)))
                .toQueue("target")
                .keepsTriesAndDue(true)
                .token(token())
                .build());
        assertThat(mark("target")).isLessThanOrEqualTo(PAST);
        assertThat(claimed(target).dueMillis()).isEqualTo(PAST);
    }

    @Test
    void pushThatTakesLongToCommit() {
        PostgresQueueStore store = store();
        LowWaterMark free = Objects.requireNonNull(looks.find("orders")).free();
        long later = System.currentTimeMillis() + 3_600_000;
        free.end(free.begin(), later, later, true, 1);
        nanosPerLook.set(110_000_000);
        long before = System.currentTimeMillis();
        store.insert(inserting(message(Due.now())));
        nanosPerLook.set(0);
        assertThat(mark("orders")).isBetween(1L, before + 60_000);
    }

    @Test
    void ackThatTakesLongToCommit() {
        PostgresQueueStore store = store("keyed", 1);
        store.insert(inserting(message(Due.now()), message(Due.now())));
        StoredMessage held = claimed(store);
        LowWaterMark free = Objects.requireNonNull(looks.find("keyed")).free();
        long later = System.currentTimeMillis() + 3_600_000;
        free.end(free.begin(), later, later, true, 1);
        nanosPerLook.set(110_000_000);
        store.ack(SettleRequest.builder()
                .receipts(List.of(Objects.requireNonNull(held.receipt())))
                .token(token())
                .build());
        nanosPerLook.set(0);
        assertThat(mark("keyed")).isBetween(1L, later - 60_000);
    }

    @Test
    void looksForEndedLeasesBeginAtTheFirstOneFound() {
        PostgresQueueStore store = store();
        store.insert(inserting(message(Due.now()), message(Due.now()), message(Due.now())));
        long firstEnd = claimed(store, 1).leaseEndMillis();
        claimed(store, 2);
        claimed(store, 2);
        Awaitility.await("an ended lease").until(() -> claim(store, 60_000).size() == 1);
        LowWaterMark held = Objects.requireNonNull(looks.find("orders")).held();
        assertThat(held.begin().fromMillis()).isEqualTo(firstEnd);
    }

    private static StoredMessage claimed(PostgresQueueStore store, long leaseMillis) {
        return claim(store, leaseMillis).get(0);
    }

    private static List<StoredMessage> claim(PostgresQueueStore store, long leaseMillis) {
        return store.claim(ClaimRequest.builder()
                        .max(1)
                        .leaseMillis(leaseMillis)
                        .token(token())
                        .build())
                .messages();
    }
}
