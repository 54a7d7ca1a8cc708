package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.Reservation;
import dev.jono.RetryOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code bucket-mongo-safe} together with keuss, which writes its changes with a delay. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeussBucketTest extends KeussCase {
    private final MessageQueue<String> ours = jono.queue("qs", Codec.string());
    private final KeussQueue theirs = factory.queue("qs");

    KeussBucketTest() {
        super(new BucketPlace());
    }

    /** With a Node process of its own, because its buckets would continue to write. */
    private static final class BucketPlace extends MongoPlace {
        private @Nullable Keuss keuss;

        BucketPlace() {
            super("bucket-mongo-safe");
        }

        @Override
        Keuss keuss() {
            Keuss started = Keuss.start();
            keuss = started;
            return started;
        }

        @Override
        Map<String, ?> options() {
            Map<String, Object> options = new HashMap<>(super.options());
            options.put("bucket_max_wait", 50);
            options.put("state_flush_period", 50);
            // The messages it has read stay reserved longer than a test; those it gives back are due at once.
            options.put("reserve_delay", 120);
            options.put("reject_delta_base", 1);
            options.put("reject_delta_factor", 1);
            return options;
        }

        @Override
        void close() {
            if (keuss != null) {
                keuss.close();
            }
            List.of("", "_signal", "_stats")
                    .forEach(suffix ->
                            Shared.client().getDatabase(database + suffix).drop());
        }
    }

    /**
     * Buckets keep the order for one consumer. Two competing consumers may skip buckets that the other one works on.
     */
    @Override
    boolean takenHere(int number) {
        return number < 10;
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
    }

    private void awaitEmpty() {
        Awaitility.await("an empty queue").atMost(LONG).until(() -> ours.totalSize() == 0);
    }

    @Test
    void keussTakesWhatIsPushedHere() {
        ours.pushAll(numbers(20));
        for (int i = 0; i < 10; i++) {
            assertThat(theirs.pop(LONG).get("payload").asText()).isEqualTo("m" + i);
        }
        for (int i = 10; i < 20; i++) {
            JsonNode held = theirs.reserve(LONG);
            assertThat(held.get("payload").asText()).isEqualTo("m" + i);
            assertThat(held.get("tries").asInt()).isZero();
            assertThat(theirs.ok(held)).isTrue();
        }
        awaitEmpty();
    }

    @Test
    void hereIsTakenWhatKeussPushed() throws InterruptedException {
        List<String> out = new ArrayList<>();
        numbers(20).forEach(theirs::push);
        while (out.size() < 20) {
            for (Reservation<String> held : ours.reserve(20, LONG)) {
                assertThat(held.tries()).isZero();
                out.add(held.payload());
                held.ack();
            }
        }
        assertThat(out).containsExactlyElementsOf(numbers(20));
        awaitEmpty();
    }

    /** keuss skips a bucket while Jono holds a part of it, and never sees messages that Jono has acked. */
    @Test
    void whatIsHeldHereIsNotKeusss() throws InterruptedException {
        ours.pushAll(List.of("a", "b", "c"));
        List<Reservation<String>> held = ours.reserve(2, LONG);
        var waiting = theirs.popLater(LONG);
        held.get(0).ack();
        assertThat(ours.counts().total()).isEqualTo(2);
        assertThat(waiting).isNotDone();
        held.get(1).release();
        List<String> rest =
                new ArrayList<>(List.of(Keuss.got(waiting).get("payload").asText()));
        rest.add(theirs.pop(LONG).get("payload").asText());
        assertThat(rest).containsExactly("b", "c");
        awaitEmpty();
    }

    @Test
    void bothPopAtOnceAndNothingIsMissingOrDouble() throws Exception {
        int count = 2_000;
        for (int from = 0; from < count; from += 50) {
            ours.pushAll(numbers(count).subList(from, from + 50));
        }
        List<String> out = new ArrayList<>();
        List<java.util.concurrent.CompletableFuture<JsonNode>> asked = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            asked.add(theirs.popLater(LONG));
        }
        while (out.size() < count - 300) {
            for (Message<String> message : ours.pop(50, LONG)) {
                out.add(message.payload());
            }
        }
        asked.forEach(each -> out.add(Keuss.got(each).get("payload").asText()));
        assertThat(out).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(numbers(count));
        awaitEmpty();
    }

    @Test
    void bothPushAndPopManyAtOnce() throws Exception {
        new KeussRace(theirs, factory.queue("qs"), jono).pop();
    }

    @Test
    void bothPushAndReserveManyAtOnce() throws Exception {
        new KeussRace(theirs, factory.queue("qs"), jono).reserve();
    }

    /** keuss and Jono dead-letter messages alternately. Jono reads half of each kind, and keuss the other half. */
    @Test
    void deadLettersOfBothAreReadByBoth() throws InterruptedException {
        KeussQueue dead = factory.queue("__deadletter__");
        List<String> all = numbers(20);
        for (int from = 0; from < 20; from += 10) {
            givenUpByKeuss(all.subList(from, from + 5));
            awaitDead(from + 5);
            givenUpHere(all.subList(from + 5, from + 10));
            awaitDead(from + 10);
        }
        List<String> out = new ArrayList<>();
        while (out.size() < 10) {
            for (Message<EncodedPayload> message : jono.deadLetters().pop(10 - out.size(), LONG)) {
                assertThat(message.headers().get(Headers.DL_FROM_QUEUE)).isEqualTo("qs");
                assertThat(message.headers().get(Headers.DL_TRIES)).isEqualTo(3L);
                out.add(message.payload().text());
            }
        }
        for (int i = 10; i < 20; i++) {
            JsonNode message = dead.pop(LONG);
            assertThat(message.get("hdrs").get(Headers.DL_FROM_QUEUE).asText()).isEqualTo("qs");
            assertThat(message.get("hdrs").get(Headers.DL_TRIES).asInt()).isEqualTo(3);
            out.add(message.get("payload").asText());
        }
        assertThat(out.subList(0, 10)).containsExactlyInAnyOrderElementsOf(all.subList(0, 10));
        assertThat(out.subList(10, 20)).containsExactlyInAnyOrderElementsOf(all.subList(10, 20));
        Awaitility.await("no dead letters")
                .atMost(LONG)
                .until(() -> jono.deadLetters().totalSize() == 0);
        awaitEmpty();
    }

    private void awaitDead(int count) {
        Awaitility.await(count + " dead letters")
                .atMost(LONG)
                .until(() -> jono.deadLetters().totalSize() == count && ours.totalSize() == 0);
    }

    /** All messages are in one bucket, which returns when all of them are given back. */
    private void givenUpByKeuss(List<String> payloads) {
        ours.pushAll(payloads);
        for (int round = 0; round < 4; round++) {
            List<JsonNode> held = new ArrayList<>();
            payloads.forEach(payload -> held.add(theirs.reserve(LONG)));
            String expected = round < 3 ? "true" : "\"deadletter\"";
            held.forEach(element -> assertThat(theirs.ko(element)).hasToString(expected));
        }
    }

    private void givenUpHere(List<String> payloads) throws InterruptedException {
        ours.pushAll(payloads);
        int given = 0;
        while (given < payloads.size()) {
            for (Reservation<String> held : ours.reserve(10, LONG)) {
                given += held.retry(Duration.ZERO) == RetryOutcome.DEAD_LETTERED ? 1 : 0;
            }
        }
    }
}
