package dev.jono.backend.redisoq;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.receipt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.BrowseRequest;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages of half a megabyte: no script reads many of them, and still none is missing or out of order. */
class LargeMessagesTest {
    private static final int MESSAGES = Limits.MAX_SCRIPT + 20;
    private static final int BYTES = 1 << 19;
    private static final long MIN_SCRIPTS = (long) MESSAGES * BYTES / (RedisOqBackend.MAX_READ_BYTES + BYTES);
    private static final Pattern CALLS = Pattern.compile("calls=(\\d+)");

    private final RedisServer redis = RedisServer.start();
    private final RawBackend raw = RawBackend.open("redis-oq:" + redis.uri());
    private final List<String> texts = new ArrayList<>();

    @BeforeEach
    void push() {
        for (int i = 0; i < MESSAGES; i++) {
            String text = (100 + i) + "x".repeat(BYTES);
            texts.add(text);
            raw.insert(text);
        }
        redis.call("CONFIG", "RESETSTAT");
    }

    @AfterEach
    void close() {
        raw.close();
        redis.close();
    }

    private void assertManyScripts() {
        Matcher calls = CALLS.matcher(redis.info("cmdstat_evalsha"));
        assertThat(calls.find()).isTrue();
        assertThat(Long.parseLong(calls.group(1))).isGreaterThanOrEqualTo(MIN_SCRIPTS);
        redis.call("CONFIG", "RESETSTAT");
    }

    private static List<String> texts(List<StoredMessage> messages) {
        return messages.stream().map(message -> message.payload().text()).toList();
    }

    private List<StoredMessage> claimAll() {
        List<StoredMessage> all = new ArrayList<>();
        while (all.size() < MESSAGES) {
            all.addAll(raw.claim(MESSAGES).messages());
        }
        return all;
    }

    @Test
    void areBrowsedInOrder() {
        List<StoredMessage> shown = got(raw.store()
                        .browse(BrowseRequest.builder().limit(MESSAGES).build()))
                .messages();
        assertThat(texts(shown)).isEqualTo(texts);
        assertManyScripts();
        List<String> ids = new ArrayList<>(shown.stream().map(StoredMessage::id).toList());
        ids.add(1, "absent");
        assertThat(texts(got(raw.store()
                                .browse(BrowseRequest.builder()
                                        .ids(ids)
                                        .limit(MESSAGES)
                                        .build()))
                        .messages()))
                .isEqualTo(texts);
        assertManyScripts();
        claimAll();
        redis.call("CONFIG", "RESETSTAT");
        assertThat(texts(got(raw.store().browse(BrowseRequest.builder().limit(5).build()))
                        .messages()))
                .as("with the reserved messages")
                .isEqualTo(texts.subList(0, 5));
    }

    @Test
    void areMovedOnceIfTheCallIsRepeated() {
        MoveRequest move = MoveRequest.builder()
                .items(claimAll().stream()
                        .map(message -> MoveItem.builder()
                                .receipt(receipt(message))
                                .toQueue("dead")
                                .build())
                        .toList())
                .token("move")
                .build();
        redis.call("CONFIG", "RESETSTAT");
        List<Outcome> done = Collections.nCopies(MESSAGES, Outcome.DONE);
        assertThat(got(raw.store().move(move)).outcomes()).isEqualTo(done);
        assertManyScripts();
        assertThat(got(raw.store().move(move)).outcomes()).isEqualTo(done);
        QueueStore dead = raw.queue("dead");
        List<StoredMessage> moved = new ArrayList<>();
        for (List<StoredMessage> some = got(dead.take(claiming(MESSAGES))).messages();
                !some.isEmpty();
                some = got(dead.take(claiming(MESSAGES))).messages()) {
            moved.addAll(some);
        }
        assertThat(texts(moved)).isEqualTo(texts);
    }

    private static ReleaseRequest releasing(List<StoredMessage> held) {
        return ReleaseRequest.builder()
                .items(held.stream()
                        .map(message -> ReleaseRequest.Item.of(receipt(message), null, true))
                        .toList())
                .token("release")
                .build();
    }

    @Test
    void areExtendedAndGivenBackOnceIfTheCallIsRepeated() {
        List<StoredMessage> held = claimAll();
        List<Receipt> receipts = held.stream().map(RawBackend::receipt).toList();
        List<Outcome> done = Collections.nCopies(MESSAGES, Outcome.DONE);
        redis.call("CONFIG", "RESETSTAT");
        assertThat(got(raw.store()
                                .extend(ExtendRequest.builder()
                                        .receipts(receipts)
                                        .leaseMillis(60_000)
                                        .token("extend")
                                        .build()))
                        .outcomes())
                .isEqualTo(done);
        assertThat(redis.info("cmdstat_hget")).as("texts read by the extend").isEmpty();
        ReleaseRequest release = releasing(held);
        assertThat(got(raw.store().release(release)).outcomes()).isEqualTo(done);
        assertManyScripts();
        assertThat(got(raw.store().release(release)).outcomes()).isEqualTo(done);
        List<StoredMessage> again = claimAll();
        assertThat(texts(again)).isEqualTo(texts);
        assertThat(again).as("one counted delivery").allMatch(message -> message.tries() == 1);
    }

    @Test
    void areRetriedInOrder() {
        List<StoredMessage> held = claimAll();
        List<ReleaseRequest.Item> items = held.stream()
                .map(message -> ReleaseRequest.Item.of(receipt(message), Due.now(), true))
                .toList();
        got(raw.store()
                .release(ReleaseRequest.builder().items(items).token("retry").build()));
        List<StoredMessage> again = claimAll();
        assertThat(texts(again)).isEqualTo(texts);
    }

    @Test
    void areNotReadForHoldersThatHaveLostThem() {
        List<StoredMessage> lost = claimAll();
        got(raw.store().release(releasing(lost)));
        claimAll();
        redis.call("CONFIG", "RESETSTAT");
        assertThat(got(raw.store().ack(acking(lost.toArray(StoredMessage[]::new))))
                        .outcomes())
                .isEqualTo(Collections.nCopies(MESSAGES, Outcome.STALE));
        assertManyScripts();
    }
}
