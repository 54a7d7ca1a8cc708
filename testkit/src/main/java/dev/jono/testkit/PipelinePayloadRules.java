package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Interceptor;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.OutgoingMessage;
import dev.jono.PayloadKind;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.RejectException;
import dev.jono.TypeRef;
import dev.jono.pipeline.Outcome;
import dev.jono.pipeline.PipelineBuilder;
import dev.jono.pipeline.Processor;
import dev.jono.testkit.JsonRules.Job;
import dev.jono.testkit.JsonRules.Mail;
import dev.jono.testkit.JsonRules.Resize;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A payload that a processor sets is stored as a push would store it. An outcome that is not possible is a failure. */
abstract class PipelinePayloadRules extends PipelineCase {
    private final List<Long> times = new CopyOnWriteArrayList<>();

    PipelinePayloadRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void payloadThatIsSetIsWrittenAsTheTargetsTypeWantsIt() throws Exception {
        List<Job> jobs = List.of(new Mail("a"), new Resize(3, List.of(new Mail("b"))));
        MessageQueue<List<Job>> chosen = jono().queue("chosen", new TypeRef<List<Job>>() {});
        start(jono().pipeline("shop")
                .choice(
                        queue("in"),
                        List.of(queue("next"), chosen),
                        (payload, message) -> Outcome.to("chosen").payload(jobs)));
        queue("in").push("a");
        awaitReal("the move", () -> chosen.size() == 1);
        assertThat(popped(chosen).payload()).isEqualTo(jobs);
    }

    /** Reverses payloads at push and at receive, and adds a header. */
    private static final class Turning implements Interceptor {
        final List<String> notified = new CopyOnWriteArrayList<>();

        @Override
        public OutgoingMessage push(OutgoingMessage message) {
            String step = message.headers().string("step");
            return message.payload(turned(message.payload())).header("turned-for", message.queue() + " " + step);
        }

        @Override
        public void pushed(OutgoingMessage message, @Nullable PushResult result, @Nullable Throwable failure) {
            notified.add(message.queue() + " " + (result != null) + " " + (failure != null));
        }

        @Override
        public EncodedPayload receive(String queue, Headers headers, EncodedPayload payload) {
            return headers.get("turned-for") == null ? payload : turned(payload);
        }

        private EncodedPayload turned(EncodedPayload payload) {
            String text = new StringBuilder(payload.text()).reverse().toString();
            return EncodedPayload.of(PayloadKind.STRING, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void payloadThatIsSetPassesTheInterceptors() throws Exception {
        Turning turning = new Turning();
        QueueFactory client = connect(storage().client().interceptor(turning));
        MessageQueue<String> in = queue(client, "in", QueueOptions.none());
        MessageQueue<String> middle = queue(client, "middle", QueueOptions.none());
        MessageQueue<String> out = queue(client, "out", QueueOptions.none());
        start(client.pipeline("shop")
                .direct(
                        in,
                        middle,
                        (payload, message) ->
                                Outcome.next().payload(payload + "!").header("step", "first"))
                .direct(middle, out, (payload, message) -> Outcome.next().header("step", "second")));
        in.push("abc");
        awaitReal("the message to arrive", () -> out.size() == 1);
        Message<String> got = popped(out);
        assertThat(got.payload()).isEqualTo("abc!");
        assertThat(got.raw().text()).isEqualTo("!cba");
        assertThat(got.headers().asMap()).isEqualTo(Map.of("step", "second", "turned-for", "middle first"));
        awaitReal("the interceptor to be called", () -> turning.notified.size() == 2);
        assertThat(turning.notified).containsExactlyInAnyOrder("in true false", "middle true false");
    }

    /** A codec that fails on certain payloads. */
    private static final Codec<String> PICKY = Codec.string()
            .map(
                    text -> {
                        if (text.startsWith("broken")) {
                            throw new IllegalStateException("cannot encode " + text);
                        }
                        return text;
                    },
                    text -> text);

    static Stream<Processor<String>> failures() {
        return Stream.of(
                (payload, message) -> {
                    throw new IllegalStateException("a test's");
                },
                (payload, message) -> Unchecked.nullOf(),
                (payload, message) -> Outcome.next().payload(Unchecked.nullOf()),
                (payload, message) -> Outcome.next().payload("broken"),
                (payload, message) -> Outcome.next().payload("x".repeat(200)),
                (payload, message) -> Outcome.next().payload(5),
                (payload, message) -> Outcome.to("nowhere"),
                (payload, message) -> Outcome.next().header("x-mine", 1),
                (payload, message) -> Outcome.drop().payload("lost"));
    }

    /** The queue's own backoff is an hour. A link must not use it. */
    @ParameterizedTest
    @MethodSource("failures")
    void whateverFailsIsTriedAgainAfterTheLinksDelay(Processor<String> failing) throws Exception {
        requires(Capability.SCHEDULE);
        QueueOptions slow = QueueOptions.builder()
                .backoff(Backoff.fixed(seconds(3_600)))
                .pollInterval(NO_POLL)
                .build();
        MessageQueue<String> in = jono().queue("in", Codec.string(), slow);
        MessageQueue<String> out = jono().queue(
                        "out",
                        PICKY,
                        QueueOptions.builder().maxPayloadBytes(100).build());
        start(jono().pipeline("shop").retryDelay(Backoff.fixed(seconds(3))).direct(in, out, (payload, message) -> {
            times.add(storage().clientClock().nanos());
            return message.tries() == 0 ? failing.process(payload, message) : Outcome.next();
        }));
        in.push("a");
        passUntil("the second try", seconds(100), () -> out.size() == 1);
        assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(atLeast(3));
        assertThat(popped(out).payload())
                .as("the old payload, from the second try")
                .isEqualTo("a");
        awaitReal("the source to be empty", () -> in.totalSize() == 0);
    }

    @Test
    void retryDelayThatThrowsCostsNoMessage() throws Exception {
        requires(Capability.SCHEDULE);
        start(jono().pipeline("shop")
                .retryDelay(attempt -> {
                    throw new IllegalStateException("a test's");
                })
                .direct(
                        queue("in"),
                        queue("out"),
                        (payload, message) -> message.tries() == 0 ? Outcome.retry() : Outcome.next()));
        queue("in").push("a");
        passUntil("the second try", seconds(100), () -> queue("out").size() == 1);
    }

    @Test
    void rejectThatIsThrownIsAReject() throws Exception {
        start(jono().pipeline("shop").direct(queue("in"), queue("out"), (payload, message) -> {
            throw new RejectException("no such customer");
        }));
        queue("in").push("a");
        awaitReal("the dead letter", () -> jono().deadLetters().totalSize() == 1);
        assertThat(popped(jono().deadLetters()).headers().get(Headers.DL_ERROR)).isEqualTo("no such customer");
    }

    @Test
    void queueThatASinkNamesIsAFailure() throws Exception {
        QueueOptions once =
                QueueOptions.builder().deadLetter(DeadLetter.after(1)).build();
        MessageQueue<String> in = queue(jono(), "in", once);
        start(jono().pipeline("shop").sink(in, (payload, message) -> Outcome.to("elsewhere")));
        in.push("a");
        awaitReal("the dead letter", () -> jono().deadLetters().totalSize() == 1);
        assertThat(popped(jono().deadLetters()).headers().string(Headers.DL_ERROR))
                .contains("elsewhere");
    }

    @Test
    void nullsAreRefused() {
        assertThatThrownBy(() -> Outcome.next().payload(Unchecked.nullOf())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Outcome.to(Unchecked.nullOf())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Outcome.reject(Unchecked.nullOf())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Outcome.retry(Unchecked.nullOf())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Outcome.next().header("a", Unchecked.nullOf()))
                .isInstanceOf(NullPointerException.class);
        PipelineBuilder builder = jono().pipeline("shop");
        assertThatThrownBy(() -> builder.retryDelay(Unchecked.nullOf())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.maxRuntime(Unchecked.nullOf())).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.sink(queue("in"), Unchecked.nullOf()))
                .isInstanceOf(NullPointerException.class);
    }
}
