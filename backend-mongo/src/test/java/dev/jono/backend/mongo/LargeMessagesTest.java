package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.EncodingException;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.TypeRef;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.OwnDatabase;
import dev.jono.testkit.RawBackend;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are too large for a batch, or for MongoDB. */
class LargeMessagesTest {
    @RegisterExtension
    final OwnDatabase database = new OwnDatabase("mongo");

    /** A new process does not know yet how large the messages are. */
    @Test
    void firstClaimReadsNoMoreThanABatch() {
        try (RawBackend raw = database.open();
                RawBackend fresh = database.open()) {
            String text = "x".repeat(1 << 20);
            for (int i = 0; i < 30; i++) {
                raw.insert(text);
            }
            int claimed = 0;
            while (claimed < 30) {
                List<StoredMessage> some = fresh.claim(1000).messages();
                assertThat(some).hasSizeBetween(1, 9);
                claimed += some.size();
            }
        }
    }

    /** JSON of some megabytes that is longer as BSON. The other message of the batch is stored. */
    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo"})
    void documentOverTheLimitIsRefusedByItself(String type) throws Exception {
        QueueOptions large = QueueOptions.builder().maxPayloadBytes(15 << 20).build();
        try (QueueFactory jono = QueueFactory.connect(database.url(type, ""))) {
            MessageQueue<List<Integer>> orders = jono.queue("orders", new TypeRef<List<Integer>>() {}, large);
            List<Integer> many = Collections.nCopies(2_000_000, 1);
            var small = orders.pushAsync(List.of(1));
            var refused = orders.pushAsync(many);
            assertThat(small.get().id()).isNotEmpty();
            assertThatThrownBy(refused::get)
                    .hasCauseInstanceOf(EncodingException.class)
                    .hasMessageContainingAll("orders", "16 MiB");
            assertThat(orders.pop(Duration.ZERO))
                    .hasValueSatisfying(message -> assertThat(message.payload()).containsExactly(1));
            assertThat(jono.queue("orders", Codec.raw()).totalSize()).isZero();
        }
    }
}
