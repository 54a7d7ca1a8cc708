package dev.jono.backend.redisoq;

import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.inserting;
import static dev.jono.testkit.RawBackend.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.BrowseRequest;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Browsing page by page returns all messages and ends, wherever reserved messages are in the index. */
class BrowsePagesTest {
    private final RedisServer redis = RedisServer.start();
    private final RawBackend raw = RawBackend.open("redis-oq:" + redis.uri());

    @AfterEach
    void close() {
        raw.close();
        redis.close();
    }

    private List<StoredMessage> pages(int size) {
        List<StoredMessage> all = new ArrayList<>();
        @Nullable String after = null;
        while (true) {
            List<StoredMessage> page = got(raw.store()
                            .browse(BrowseRequest.builder()
                                    .after(after)
                                    .limit(size)
                                    .build()))
                    .messages();
            if (page.isEmpty()) {
                return all;
            }
            all.addAll(page);
            assertThat(all).as("the pages end").hasSizeLessThan(10_000);
            after = page.get(page.size() - 1).cursor();
        }
    }

    @Test
    void expiredLeasesThatAreNotSweptAppearInTheirOldPlaces() {
        for (String text : List.of("a", "b", "c", "d", "e")) {
            raw.insert(text);
        }
        got(raw.store()
                .claim(ClaimRequest.builder()
                        .max(2)
                        .leaseMillis(20)
                        .token("claim")
                        .build()));
        Awaitility.await("the end of the leases")
                .until(() -> pages(9).stream().allMatch(message -> message.state() == StoredMessage.State.READY));
        assertThat(pages(2)).extracting(message -> message.payload().text()).containsExactly("a", "b", "c", "d", "e");
    }

    /** Reserved messages beyond that number appear at the ends of their leases. */
    @Test
    void moreReservationsThanAPageOrdersAppearExactlyOnce() {
        NewMessage[] hundred = new NewMessage[100];
        Arrays.fill(hundred, message("m"));
        for (int i = 0; i < 12; i++) {
            got(raw.store().insert(inserting(hundred)));
        }
        for (int i = 0; i < 11; i++) {
            assertThat(raw.claim(100).messages()).hasSize(100);
        }
        List<String> ids = pages(70).stream().map(StoredMessage::id).toList();
        assertThat(ids).doesNotHaveDuplicates().hasSize(1_200);
    }

    /** Unordered reservations that end in the same millisecond appear in the order of the index. */
    @Test
    void leasesThatEndInOneMillisecondAppearExactlyOnce() {
        NewMessage[] hundred = new NewMessage[100];
        Arrays.fill(hundred, message("m"));
        for (int i = 0; i < 4; i++) {
            got(raw.store().insert(inserting(hundred)));
        }
        for (int i = 0; i < 3; i++) {
            raw.claim(100);
        }
        List<StoredMessage> older = raw.claim(50).messages();
        List<StoredMessage> newer = raw.claim(50).messages();
        long end = newer.get(0).leaseEndMillis();
        move(newer, end + ".200");
        move(older, end + ".700");
        for (int size : List.of(3, 10, 33)) {
            List<String> ids = pages(size).stream().map(StoredMessage::id).toList();
            assertThat(ids).doesNotHaveDuplicates().hasSize(400);
        }
    }

    private void move(List<StoredMessage> held, String end) {
        for (StoredMessage message : held) {
            redis.call("ZADD", "keuss:q:ordered_queue:index:orders", end, message.id());
        }
        redis.call("ZADD", "jono:oq:claims:orders", end, "-------------+" + end);
    }
}
