package dev.jono.backend.redisoq;

import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.receipt;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lease is one entry for all messages of a claim. Each message is settled, extended and given back on its own. */
class LeasesTest extends QueueOnRedis {
    private List<Outcome> extend(long millis, StoredMessage... messages) {
        return got(raw.store()
                        .extend(ExtendRequest.builder()
                                .receipts(List.of(messages).stream()
                                        .map(RawBackend::receipt)
                                        .toList())
                                .leaseMillis(millis)
                                .token(token())
                                .build()))
                .outcomes();
    }

    @Test
    void outcomesHaveTheOrderOfTheReceiptsOfSeveralLeases() {
        raw.insert("a", "b", "c", "d", "e", "f");
        List<StoredMessage> one = claim(3, 30_000);
        List<StoredMessage> two = claim(3, 30_000);
        assertThat(redis.call("ZCARD", CLAIMS)).as("leases").isEqualTo(2L);
        assertThat(counts().reserved()).isEqualTo(6);
        got(raw.store()
                .release(ReleaseRequest.builder()
                        .items(List.of(ReleaseRequest.Item.of(receipt(two.get(1)), null, true)))
                        .token(token())
                        .build()));
        assertThat(ack(List.of(two.get(0), one.get(2), two.get(1), one.get(0), two.get(2), one.get(1))))
                .containsExactly(Outcome.DONE, Outcome.DONE, Outcome.STALE, Outcome.DONE, Outcome.DONE, Outcome.DONE);
        assertThat(ack(one)).containsOnly(Outcome.GONE);
        assertThat(redis.call("EXISTS", CLAIMS)).isEqualTo(0L);
        assertThat(ack(claim(1, 30_000))).containsExactly(Outcome.DONE);
        assertNothingIsLeft();
    }

    /** One script acks two whole leases, without reading a message. */
    @Test
    void anAckOfAWholeClaimSendsNoIds() {
        raw.insert("a", "b", "c", "d", "e");
        List<StoredMessage> all = new ArrayList<>(claim(3, 30_000));
        all.addAll(claim(2, 30_000));
        redis.call("CONFIG", "RESETSTAT");
        assertThat(ack(all)).hasSize(5).containsOnly(Outcome.DONE);
        assertThat(redis.info("cmdstat_evalsha")).startsWith("calls=1,");
        assertThat(redis.info("cmdstat_zremrangebyscore")).startsWith("calls=2,");
        assertNothingIsLeft();
    }

    /** The script settles the first lease, and then finds that the second one has changed. */
    @Test
    void acksAfterAChangedLeaseAreSentWithTheirIds() {
        raw.insert("a", "b", "c", "d", "e", "f");
        List<StoredMessage> all = new ArrayList<>(claim(2, 30_000));
        all.addAll(claim(2, 30_000));
        all.addAll(claim(2, 30_000));
        assertThat(extend(60_000, all.get(3))).containsOnly(Outcome.DONE);
        assertThat(ack(all)).hasSize(6).containsOnly(Outcome.DONE);
        assertNothingIsLeft();
    }

    /** In one batch, by an application's mistake. The other message of the lease stays reserved. */
    @Test
    void aMessageThatIsAckedTwiceAtOnceEndsNoOtherLease() {
        raw.insert("a", "b");
        List<StoredMessage> both = claim(2, 30_000);
        assertThat(ack(List.of(both.get(0), both.get(0)))).containsOnly(Outcome.DONE);
        assertThat(counts().reserved()).isEqualTo(1);
        assertThat(claim(1, 30_000)).isEmpty();
        assertThat(ack(both)).containsExactly(Outcome.GONE, Outcome.DONE);
        assertNothingIsLeft();
    }

    /** Some messages of a batch have the end of their claim, others that of a later extend. */
    @Test
    void acksOfALeaseThatIsExtendedInPartEndBoth() {
        raw.insert("a", "b", "c", "d");
        List<StoredMessage> all = claim(4, 30_000);
        assertThat(extend(60_000, all.get(1), all.get(3))).containsOnly(Outcome.DONE);
        assertThat(redis.call("ZCARD", CLAIMS)).isEqualTo(2L);
        assertThat(ack(all.subList(0, 2))).containsOnly(Outcome.DONE);
        assertThat(redis.call("ZCARD", CLAIMS))
                .as("one message of each lease is left")
                .isEqualTo(2L);
        assertThat(ack(all)).containsExactly(Outcome.GONE, Outcome.GONE, Outcome.DONE, Outcome.DONE);
        assertNothingIsLeft();
    }

    @Test
    void anExtendChangesNoOtherMessageOfTheLease() {
        raw.insert("a", "b", "c");
        List<StoredMessage> held = claim(3, 50);
        assertThat(extend(30_000, held.get(1))).containsExactly(Outcome.DONE);
        await().until(() -> counts().ready() == 2);
        assertThat(counts().reserved()).isEqualTo(1);
        List<StoredMessage> again = claim(3, 30_000);
        assertThat(texts(again)).containsExactly("a", "c");
        assertThat(again).allMatch(message -> message.expired() && message.tries() == 1);
        assertThat(ack(held)).containsExactly(Outcome.STALE, Outcome.DONE, Outcome.STALE);
        assertThat(ack(again)).containsOnly(Outcome.DONE);
        assertNothingIsLeft();
    }

    @Test
    void receiptsOfSeveralLeasesAreExtendedAtOnceAndStaySeparate() {
        raw.insert("a", "b", "c", "d");
        List<StoredMessage> one = claim(2, 30_000);
        List<StoredMessage> two = claim(2, 30_000);
        assertThat(extend(40_000, one.get(0), two.get(0), one.get(1))).containsOnly(Outcome.DONE);
        StoredMessage forged = StoredMessage.builder()
                .id(two.get(0).id())
                .payload(two.get(0).payload())
                .receipt(Receipt.of(two.get(0).id(), receipt(one.get(0)).token()))
                .build();
        assertThat(ack(List.of(forged))).containsExactly(Outcome.STALE);
        assertThat(extend(50_000, one.get(0))).containsExactly(Outcome.DONE);
        assertThat(ack(one)).containsOnly(Outcome.DONE);
        assertThat(ack(two)).containsOnly(Outcome.DONE);
        assertNothingIsLeft();
    }

    /** An expired message is claimable, not stale, also after a sweep has put it back to its place. */
    @Test
    void anExpiredMessageIsItsHoldersUntilAnotherClaim() {
        raw.insert("a", "b", "c");
        List<StoredMessage> held = claim(2, 1_000);
        await().until(() -> counts().ready() == 3);
        assertThat(counts().oldestReadyMillis()).hasValue(held.get(0).dueMillis());
        assertThat(texts(claim(1, 30_000))).as("sweeps both, takes the first").containsExactly("a");
        assertThat(extend(30_000, held.get(0), held.get(1))).containsExactly(Outcome.STALE, Outcome.DONE);
        assertThat(texts(claim(5, 30_000))).containsExactly("c");
        assertThat(ack(held)).containsExactly(Outcome.STALE, Outcome.DONE);
    }

    /** A small claim sweeps few expired leases. The others keep their places, and their deliveries are counted. */
    @Test
    void manyExpiredMessagesReturnToTheirPlacesHoweverSmallTheClaims() {
        raw.insert("a", "b", "c", "d", "e", "f");
        claim(2, 1_000);
        claim(2, 1_001);
        claim(2, 1_002);
        await().until(() -> counts().ready() == 6);
        List<StoredMessage> all = new ArrayList<>();
        while (all.size() < 6) {
            all.addAll(claim(1, 30_000));
        }
        assertThat(texts(all)).containsExactly("a", "b", "c", "d", "e", "f");
        assertThat(all).allMatch(message -> message.expired() && message.tries() == 1);
        assertThat(ack(all)).containsOnly(Outcome.DONE);
        assertNothingIsLeft();
    }

    /** As after many settlements by keuss, which does not know leases. */
    @Test
    void expiredDeliveryIsCountedAlsoAfterManyEmptyLeases() {
        List<Object> empty = new ArrayList<>(List.of("ZADD", CLAIMS));
        for (int i = 0; i < 150; i++) {
            empty.addAll(List.of("1795254331014." + (100 + i), "-------------1" + i));
        }
        raw.insert("x".repeat(5_000));
        StoredMessage held = claim(1, 20).get(0);
        await().until(() -> counts().ready() == 1);
        redis.call(empty.stream().map(Object::toString).toArray(String[]::new));
        List<StoredMessage> again = claim(1, 30_000);
        if (again.isEmpty()) {
            again = claim(1, 30_000);
        }
        assertThat(again).singleElement().satisfies(message -> {
            assertThat(message.id()).isEqualTo(held.id());
            assertThat(message.expired()).isTrue();
            assertThat(message.tries()).isEqualTo(1);
        });
        assertThat(ack(again)).containsExactly(Outcome.DONE);
        assertNothingIsLeft();
    }

    @Test
    void moreLeasesThanOneScriptCountsAreCountedByMoreScripts() {
        for (int i = 0; i < 12; i++) {
            raw.insert(Collections.nCopies(100, "m").toArray(String[]::new));
        }
        raw.insert("left");
        for (int i = 0; i < 1_200; i++) {
            assertThat(claim(1, 60_000)).hasSize(1);
        }
        assertThat(counts())
                .returns(1L, CountsResult::ready)
                .returns(1_200L, CountsResult::reserved)
                .returns(0L, CountsResult::scheduled);
        claim(1, 60_000);
        assertThat(counts())
                .returns(0L, CountsResult::ready)
                .returns(1_201L, CountsResult::reserved)
                .returns(0L, CountsResult::scheduled);
    }

    /** If other leases have all ends that a claim could choose, it chooses a later one. */
    @Test
    void noTwoLeasesHaveTheSameEnd() {
        raw.insert("a", "b");
        long latest = 9_999_999_999_999L; // no due time of this many digits is later
        List<Object> ends = new ArrayList<>(List.of("ZADD", CLAIMS));
        for (int i = 1; i < 1_000; i++) {
            String end = "%d.%03d".formatted(latest, i);
            ends.addAll(List.of(end, "-------------+" + end));
        }
        redis.call(ends.stream().map(Object::toString).toArray(String[]::new));
        List<StoredMessage> first = claim(1, latest);
        List<StoredMessage> second = claim(1, latest);
        assertThat(String.valueOf(redis.call("ZSCORE", INDEX, first.get(0).id())))
                .as("only ends of leases have fractions")
                .contains(".");
        assertThat(redis.call("ZSCORE", INDEX, first.get(0).id()))
                .isNotEqualTo(redis.call("ZSCORE", INDEX, second.get(0).id()));
        StoredMessage forged = StoredMessage.builder()
                .id(second.get(0).id())
                .payload(second.get(0).payload())
                .receipt(Receipt.of(second.get(0).id(), receipt(first.get(0)).token()))
                .build();
        assertThat(ack(List.of(forged))).containsExactly(Outcome.STALE);
        assertThat(ack(first)).containsExactly(Outcome.DONE);
        assertThat(ack(second)).containsExactly(Outcome.DONE);
    }

    /** Jono avoids such ends. A message that is due at the same instant must still be handed out. */
    @Test
    void aLeaseThatEndsWhereAMessageIsDueBlocksNothing() {
        StoredMessage held = heldUntil(System.currentTimeMillis() + 300);
        await().until(() -> counts().ready() == 2);
        List<StoredMessage> both = new ArrayList<>(claim(5, 30_000));
        both.addAll(claim(5, 30_000));
        assertThat(both).extracting(StoredMessage::id).contains(held.id()).hasSize(2);
        raw.insert("later");
        assertThat(texts(claim(5, 30_000))).containsExactly("later");
    }

    private StoredMessage heldUntil(long end) {
        raw.insert("a");
        StoredMessage held = claim(1, 30_000).get(0);
        String fence = receipt(held).token().substring(0, 13);
        redis.call("DEL", CLAIMS);
        redis.call("ZADD", CLAIMS, Long.toString(end), fence + "+" + end);
        redis.call("ZADD", INDEX, Long.toString(end), held.id());
        raw.insert(NewMessage.builder()
                .payload(RawBackend.message("due").payload())
                .due(Due.atMillis(end))
                .build());
        return held;
    }

    /** The due time is a field at the end, also if the payload contains a text that looks like it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"_id\":\"x\",\"payload\":{\"a\":1,\"mature\":5},\"tries\":0,\"hdrs\":{},\"mature\":1795254331014}",
                "{\"_id\":\"x\",\"payload\":{\"a\":1,\"mature\":5},\"tries\":0,\"hdrs\":{\"h\":1},\"mature\":1795254331014,"
                        + "\"type\":\"buffer\"}",
                "{\"_id\":\"x\",\"payload\":1,\"tries\":0,\"hdrs\":{},\"mature\":-123456789012}",
                "{\"_id\":\"x\",\"payload\":1,\"tries\":0,\"hdrs\":{},\"mature\":12345678.9012}",
                "{\"_id\":\"x\",\"payload\":{\"approved\":1},\"tries\":0,\"hdrs\":{},\"mature\":1795254331014}"
            })
    void messageReturnsToItsPlaceWhateverItsTextLooksLike(String text) {
        redis.call("HSET", HASH, "x", text);
        redis.call("ZADD", INDEX, "1795254331014", "x");
        for (int tries = 0; tries < 3; tries++) {
            assertThat(browse()).singleElement().returns(1795254331014L, StoredMessage::dueMillis);
            StoredMessage held = claim(1, 20).get(0);
            assertThat(held).returns(1795254331014L, StoredMessage::dueMillis).returns(tries, StoredMessage::tries);
            await().until(() -> counts().ready() == 1);
        }
        StoredMessage held = claim(1, 30_000).get(0);
        got(raw.store()
                .release(ReleaseRequest.builder()
                        .items(List.of(ReleaseRequest.Item.of(receipt(held), null, true)))
                        .token(token())
                        .build()));
        assertThat(redis.call("ZSCORE", INDEX, "x")).isEqualTo("1795254331014");
        held = claim(1, 30_000).get(0);
        assertThat(held.tries()).isEqualTo(4);
        assertThat(ack(List.of(held))).containsExactly(Outcome.DONE);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "0123456789abc",
                "0123456789abc1e",
                "0123456789abcinf",
                "0123456789abc1.2.3",
                "0123456789abc1.5*2*0",
                "0123456789abc1.5*9999*0"
            })
    void foreignTokensAreStale(String other) {
        raw.insert("a");
        StoredMessage held = claim(1, 30_000).get(0);
        Receipt receipt = Receipt.of(held.id(), other);
        assertThat(got(raw.store()
                                .ack(SettleRequest.builder()
                                        .receipts(List.of(receipt, receipt))
                                        .token(token())
                                        .build()))
                        .outcomes())
                .containsOnly(Outcome.STALE);
        assertThat(ack(List.of(held))).containsExactly(Outcome.DONE);
    }

    /** A repeated claim returns the same messages as the first one, in the same order. */
    @Test
    void aRepeatedClaimReturnsTheSame() {
        raw.insert("a", "x".repeat(5_000), "c");
        raw.claim(1)
                .messages()
                .forEach(first -> got(raw.store()
                        .release(ReleaseRequest.builder()
                                .items(List.of(ReleaseRequest.Item.of(receipt(first), null, true)))
                                .token(token())
                                .build())));
        ClaimRequest request = ClaimRequest.builder()
                .max(5)
                .leaseMillis(30_000)
                .token("claim")
                .isolateTries(24)
                .isolateExpiredTries(2)
                .build();
        List<StoredMessage> first = got(raw.store().claim(request)).messages();
        List<StoredMessage> second = got(raw.store().claim(request)).messages();
        assertThat(first).hasSize(3);
        assertThat(second)
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("storageMillis")
                .isEqualTo(first);
        assertThat(ack(second)).containsOnly(Outcome.DONE);
        assertNothingIsLeft();
    }
}
