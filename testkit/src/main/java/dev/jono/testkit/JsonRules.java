package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.MessageQueue;
import dev.jono.PartialFailureException;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.Reservation;
import dev.jono.TypeRef;
import dev.jono.json.JsonCodecs;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON that a queue accepts can be read again on every path. JSON that cannot be read again is refused. */
abstract class JsonRules extends ContractCase {
    /** A declared type. Only its annotations name the subclasses in JSON. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Mail.class, name = "mail"),
        @JsonSubTypes.Type(value = Resize.class, name = "resize")
    })
    public sealed interface Job permits Mail, Resize {}

    /** A subclass. */
    public record Mail(String to) implements Job {}

    /** Another subclass. */
    public record Resize(int width, List<Job> then) implements Job {}

    /** A payload in which each level needs two levels of JSON. */
    public record Nested(List<Nested> inside) {
        static Nested levels(int levels) {
            Nested nested = new Nested(List.of());
            for (int i = 2; i < levels; i += 2) {
                nested = new Nested(List.of(nested));
            }
            return nested;
        }
    }

    private static final TypeRef<List<Job>> JOBS = new TypeRef<>() {};

    JsonRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    /** Sends a payload along every path on which payloads are stored and read. */
    private <T> void comesBackOnEveryPath(MessageQueue<T> queue, MessageQueue<T> other, T payload) throws Exception {
        queue.push(payload);
        queue.pushAll(List.of(payload, payload));
        track(queue.pushAsync(payload)).join();
        track(queue.pushAllAsync(List.of(payload), PushOptions.none())).join();
        for (int i = 0; i < 4; i++) {
            assertThat(popped(queue).payload()).isEqualTo(payload);
        }
        if (declared(Capability.BROWSE)) {
            assertThat(queue.browse(null, 1).get(0).payload()).isEqualTo(payload);
        }
        if (declared(Capability.RESERVE)) {
            taken(queue, payload).retry(Duration.ZERO);
            taken(queue, payload).reject("a test's");
            assertThat(jono().deadLetters().redrive()).isEqualTo(1);
        }
        if (declared(Capability.RESERVE) && declared(Capability.MOVE)) {
            taken(queue, payload).moveTo(other.name());
            assertThat(popped(other).payload()).isEqualTo(payload);
        } else {
            assertThat(popped(queue).payload()).isEqualTo(payload);
        }
        assertThat(queue.totalSize()).isZero();
    }

    private <T> Reservation<T> taken(MessageQueue<T> queue, T payload) throws InterruptedException {
        Reservation<T> taken = reserved(queue);
        assertThat(taken.payload()).isEqualTo(payload);
        return taken;
    }

    @Test
    void elementsOfADeclaredTypeComeBackOnEveryPath() throws Exception {
        comesBackOnEveryPath(
                jono().queue("orders", JOBS),
                jono().queue("other", JOBS),
                List.of(new Mail("a"), new Resize(3, List.of(new Mail("b")))));
    }

    @Test
    void jsonAsDeepAsTheLimitComesBackOnEveryPath() throws Exception {
        comesBackOnEveryPath(
                jono().queue("orders", Nested.class),
                jono().queue("other", Nested.class),
                Nested.levels(JsonCodecs.MAX_DEPTH));
    }

    @Test
    void jsonDeeperThanTheLimitIsRefusedAndItsNeighboursAreNot() throws Exception {
        MessageQueue<Nested> queue = jono().queue("orders", Nested.class);
        Nested good = Nested.levels(JsonCodecs.MAX_DEPTH);
        Nested tooDeep = Nested.levels(JsonCodecs.MAX_DEPTH + 1);
        assertThatThrownBy(() -> queue.push(tooDeep))
                .isInstanceOf(EncodingException.class)
                .hasMessageContaining("push to queue 'orders'")
                .hasMessageContaining("exceeds the maximum allowed (" + JsonCodecs.MAX_DEPTH);
        assertThatThrownBy(() -> track(queue.pushAsync(tooDeep)).join()).hasCauseInstanceOf(EncodingException.class);
        assertThat(queue.totalSize()).isZero();
        PartialFailureException failure =
                catchThrowableOfType(PartialFailureException.class, () -> queue.pushAll(List.of(good, tooDeep, good)));
        assertThat(failure).isNotNull();
        assertThat(failure.results().get(1).failure()).isInstanceOf(EncodingException.class);
        assertThat(failure.results().get(2).failure()).isNull();
        assertThat(queue.pop(3, Duration.ZERO).stream().map(m -> m.payload())).containsExactly(good, good);
    }

    /**
     * A storage that converts JSON to a form of its own has limits of its own. JSON beyond them must be stored in
     * another form.
     */
    @ParameterizedTest
    @ValueSource(ints = {149, 150, 151, 170, 180, 200, 900, 901, 1_000, 1_001, 5_000})
    void rawJsonOfAnyDepthComesBackOnEveryPath(int depth) throws Exception {
        String text = "[".repeat(depth) + "]".repeat(depth);
        comesBackOnEveryPath(
                jono().queue("orders", Codec.raw()),
                jono().queue("other", Codec.raw()),
                EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void numberThatNobodyCouldReadIsRefused() {
        MessageQueue<BigInteger> queue = jono().queue("orders", BigInteger.class);
        assertThatThrownBy(() -> queue.push(BigInteger.TEN.pow(1_000)))
                .isInstanceOf(EncodingException.class)
                .hasMessageContaining("1001");
        assertThat(queue.totalSize()).isZero();
    }
}
