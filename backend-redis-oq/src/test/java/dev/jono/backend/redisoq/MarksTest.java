package dev.jono.backend.redisoq;

import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.ConfigurationException;
import dev.jono.RemoveOutcome;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A claim marks messages as reserved for keuss, except large ones, for which that is too expensive. */
class MarksTest extends QueueOnRedis {
    private String stored(StoredMessage message) {
        return String.valueOf(redis.call("HGET", HASH, message.id()));
    }

    /** keuss does not remove marked messages. To mark a large one would write all of it again. */
    @Test
    void reservedMessageIsMarkedForKeussUnlessItIsLarge() {
        raw.insert("small", "x".repeat(5_000));
        List<StoredMessage> held = claim(2, 1_000);
        assertThat(stored(held.get(0))).endsWith(",\"reserved\":true}");
        assertThat(stored(held.get(1))).doesNotContain("reserved");
        await().until(() -> counts().ready() == 2);
        assertThat(browse())
                .as("the expired delivery of both is counted")
                .allMatch(message ->
                        message.expired() && message.tries() == 1 && message.state() == StoredMessage.State.READY);
        List<StoredMessage> again = claim(2, 30_000);
        assertThat(again).allMatch(message -> message.expired() && message.tries() == 1);
        assertThat(texts(again)).containsExactly("small", "x".repeat(5_000));
        assertThat(browse())
                .allMatch(message -> message.state() == StoredMessage.State.RESERVED && message.tries() == 1);
        assertThat(got(raw.store()
                                .remove(RemoveRequest.builder()
                                        .ids(again.stream()
                                                .map(StoredMessage::id)
                                                .toList())
                                        .token(token())
                                        .build()))
                        .outcomes())
                .containsOnly(RemoveOutcome.HELD);
        assertThat(got(raw.store().purge())).isZero();
        assertThat(ack(again)).containsOnly(Outcome.DONE);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 999_999_999})
    void theOptionLimitsTheSizeOfMarkedMessages(int bytes) {
        try (RawBackend other = RawBackend.open("redis-oq:" + redis.uri() + "?jono.mark=" + bytes)) {
            other.insert("small", "x".repeat(5_000));
            List<StoredMessage> held = other.claim(2).messages();
            assertThat(held)
                    .hasSize(2)
                    .allSatisfy(message -> assertThat(stored(message).endsWith(",\"reserved\":true}"))
                            .isEqualTo(bytes > 0));
            assertThat(counts().reserved()).isEqualTo(2);
            assertThat(browse()).allMatch(message -> message.state() == StoredMessage.State.RESERVED);
            assertThat(ack(held)).containsOnly(Outcome.DONE);
        }
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "many", "", "1234567890"})
    void anOptionThatIsNotANumberOfBytesIsRefused(String value) {
        assertThatThrownBy(() -> RawBackend.open("redis-oq:" + redis.uri() + "?jono.mark=" + value))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("jono.mark");
    }
}
