package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/** {@code bucket-mongo-safe} together with keuss's, which writes what it has done a while later. */
@ResourceLock("the buckets")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeussBucketTest {
    private static final Duration LONG = Duration.ofSeconds(15);
    private static final String BACKEND = "bucket-mongo-safe";

    private final String database = "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    private final String uri = MongoReplicaSet.sharedUri(database);
    private Keuss keuss;
    private QueueFactory jono;
    private MessageQueue<String> ours;
    private KeussQueue theirs;

    @BeforeEach
    void begin() {
        keuss = Keuss.start();
        theirs = keuss.factory(BACKEND, "N", Map.of("url", uri), Map.of())
                .queue("qs", Map.of("bucket_max_wait", 50, "state_flush_period", 50, "pollInterval", 500));
        jono = QueueFactory.connect(BACKEND + ":" + uri);
        ours = jono.queue("qs", Codec.string());
    }

    @AfterEach
    void end() {
        jono.close();
        keuss.close();
        try (MongoClient client = MongoClients.create(MongoReplicaSet.sharedUri("admin"))) {
            client.getDatabase(database).drop();
        }
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

    /** While a part of a bucket is held here, keuss leaves it; what was acked here it never sees. */
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
}
