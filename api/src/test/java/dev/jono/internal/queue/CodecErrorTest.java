package dev.jono.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueOptions;
import dev.jono.UndecodableException;
import dev.jono.internal.fakes.Hooked;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Users' code may throw anything; it costs its own message, and what was popped with it is not lost. */
final class CodecErrorTest {
    private final Hooked hooked = new Hooked();

    /** As Kotlin's NotImplementedError: no kind that the JDK knows. */
    private static final class Oops extends Error {
        private static final long serialVersionUID = 1;
    }

    private static final Codec<String> ANGRY = new Codec<>() {
        @Override
        public EncodedPayload encode(String payload, Headers headers) {
            if (payload.equals("unwritable")) {
                throw new Oops();
            }
            return EncodedPayload.of(PayloadKind.STRING, payload.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String decode(EncodedPayload payload, Headers headers) {
            return switch (payload.text()) {
                case "bad" -> throw new Oops();
                case "big" -> throw new OutOfMemoryError("a test's");
                default -> payload.text();
            };
        }
    };

    @AfterEach
    void close() {
        hooked.close();
    }

    @Test
    void popHandsOutTheNeighboursAndKeepsWhatCannotBeDecoded() throws Exception {
        MessageQueue<String> orders = hooked.connect().queue("orders", ANGRY);
        orders.pushAll(List.of("a", "bad", "b", "big"));
        assertThat(orders.pop(4, Duration.ZERO).stream().map(Message::payload)).containsExactly("a", "b");
        assertThat(orders.totalSize()).isEqualTo(2);
    }

    @Test
    void futureOfAPopEnds() {
        MessageQueue<String> orders = hooked.connect().queue("orders", ANGRY);
        orders.push("bad");
        assertThat(orders.popAsync(Duration.ofMinutes(1)))
                .failsWithin(20, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(UndecodableException.class);
        assertThat(orders.totalSize()).isEqualTo(1);
    }

    @Test
    void pushFailsAlone() {
        MessageQueue<String> orders = hooked.connect().queue("orders", ANGRY);
        assertThatThrownBy(() -> orders.push("unwritable")).isInstanceOf(EncodingException.class);
        orders.push("a");
        assertThat(orders.totalSize()).isEqualTo(1);
    }

    @Test
    void backoffThatThrowsLosesNothing() throws Exception {
        QueueOptions options = QueueOptions.builder()
                .backoff(tries -> {
                    throw new IllegalStateException("a test's");
                })
                .build();
        MessageQueue<String> orders = hooked.connect().queue("orders", ANGRY, options);
        orders.pushAll(List.of("a", "bad", "b"));
        assertThat(orders.pop(3, Duration.ZERO).stream().map(Message::payload)).containsExactly("a", "b");
        assertThat(orders.totalSize()).isEqualTo(1);
    }
}
