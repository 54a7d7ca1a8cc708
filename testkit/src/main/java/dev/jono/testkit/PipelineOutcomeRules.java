package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.pipeline.Link;
import dev.jono.pipeline.Outcome;
import dev.jono.pipeline.Pipeline;
import dev.jono.pipeline.Processor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of each outcome of a processor. */
abstract class PipelineOutcomeRules extends PipelineCase {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    PipelineOutcomeRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private void direct(Processor<String> processor) {
        start(jono().pipeline("shop")
                .retryDelay(Backoff.fixed(seconds(3)))
                .direct(queue("in"), queue("out"), processor));
    }

    /** Pushes one message, and returns it as it arrives in the target. */
    private Message<String> through(PushOptions options) throws InterruptedException {
        String id = queue("in").push("a", options).id();
        passUntil("the message to arrive", seconds(100), () -> queue("out").size() == 1);
        awaitReal("the source to be empty", () -> queue("in").totalSize() == 0);
        Message<String> out = popped(queue("out"));
        assertThat(out.id()).isEqualTo(id);
        return out;
    }

    @Test
    void nextMovesTheMessageAsItIs() throws Exception {
        direct((payload, message) -> Outcome.next());
        Message<String> out =
                through(PushOptions.none().header("tenant", "acme").tries(2));
        assertThat(out.payload()).isEqualTo("a");
        assertThat(out.headers().asMap()).isEqualTo(Map.of("tenant", "acme"));
        assertThat(out.tries()).isZero();
    }

    @ParameterizedTest(name = "atomic moves: {0}")
    @ValueSource(booleans = {true, false})
    void nextMayChangePayloadAndHeaders(boolean atomic) throws Exception {
        if (atomic) {
            requires(Capability.ATOMIC_MOVE);
        }
        if (!atomic) {
            requiresMovesInSeveralSteps();
        }
        var client = atomic ? jono() : client(new Faults().hide(Capability.ATOMIC_MOVE));
        MessageQueue<String> in = queue(client, "in", dev.jono.QueueOptions.none());
        MessageQueue<String> out = queue(client, "out", dev.jono.QueueOptions.none());
        start(client.pipeline("shop")
                .direct(
                        in,
                        out,
                        (payload, message) -> Outcome.next()
                                .payload(payload + "!")
                                .header("step", 2)
                                .header("tenant", "other")));
        Message<String> got =
                through(PushOptions.none().header("tenant", "acme").header("keep", true));
        assertThat(got.payload()).isEqualTo("a!");
        assertThat(got.headers().asMap()).isEqualTo(Map.of("tenant", "other", "keep", true, "step", 2L));
    }

    /** As in any worker. If the interrupt gave the message back uncounted, it would return for ever. */
    @Test
    void runLongerThanAllowedIsARetryThatCounts() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        start(jono().pipeline("shop").maxRuntime(seconds(6)).direct(queue("in"), queue("out"), (payload, message) -> {
            if (message.tries() == 0) {
                never.await();
            }
            return Outcome.next().payload("tries " + message.tries());
        }));
        assertThat(through(PushOptions.none()).payload()).isEqualTo("tries 1");
    }

    @Test
    void nextMayBeDelayed() throws Exception {
        requires(Capability.SCHEDULE);
        direct((payload, message) -> Outcome.next().delay(seconds(5)));
        queue("in").push("a");
        awaitReal("the move", () -> queue("out").counts().scheduled() == 1);
        assertThat(queue("out").pop(Duration.ZERO)).isEmpty();
        passUntil("the delay", seconds(50), () -> queue("out").size() == 1);
    }

    @Test
    void dropEndsTheMessage() {
        direct((payload, message) -> {
            seen.add(payload);
            return Outcome.drop();
        });
        queue("in").push("a");
        awaitReal(
                "the message to be dropped",
                () -> !seen.isEmpty() && queue("in").totalSize() == 0);
        assertThat(queue("out").totalSize()).isZero();
    }

    @Test
    void retryComesBackAfterTheLinksDelayAndCounts() throws Exception {
        requires(Capability.SCHEDULE);
        List<Long> times = new CopyOnWriteArrayList<>();
        direct((payload, message) -> {
            times.add(storage().clientClock().nanos());
            return message.tries() < 2 ? Outcome.retry() : Outcome.next();
        });
        through(PushOptions.none());
        assertThat(times).hasSize(3);
        assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(atLeast(3));
        assertThat(Duration.ofNanos(times.get(2) - times.get(1))).isGreaterThanOrEqualTo(atLeast(3));
    }

    @Test
    void retryDelayGrows() throws Exception {
        requires(Capability.SCHEDULE);
        List<Long> times = new CopyOnWriteArrayList<>();
        start(jono().pipeline("shop")
                .retryDelay(Backoff.exponential(seconds(2), 3, seconds(1_000), 0))
                .direct(queue("in"), queue("out"), (payload, message) -> {
                    times.add(storage().clientClock().nanos());
                    if (message.tries() < 2) {
                        throw new IllegalStateException("a test's");
                    }
                    return Outcome.next();
                }));
        through(PushOptions.none());
        assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(atLeast(2));
        assertThat(Duration.ofNanos(times.get(2) - times.get(1))).isGreaterThanOrEqualTo(atLeast(6));
    }

    @Test
    void retryMayNameItsDelay() throws Exception {
        requires(Capability.SCHEDULE);
        List<Long> times = new CopyOnWriteArrayList<>();
        direct((payload, message) -> {
            times.add(storage().clientClock().nanos());
            return message.tries() == 0 ? Outcome.retry(seconds(8)) : Outcome.next();
        });
        through(PushOptions.none());
        assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(atLeast(8));
    }

    @Test
    void rejectGoesToTheDeadLetterAtOnce() throws Exception {
        direct((payload, message) -> Outcome.reject("no such customer"));
        queue("in").push("a");
        awaitReal("the dead letter", () -> jono().deadLetters().totalSize() == 1);
        Headers headers = popped(jono().deadLetters()).headers();
        assertThat(headers.get(Headers.DL_REASON)).isEqualTo("rejected");
        assertThat(headers.get(Headers.DL_ERROR)).isEqualTo("no such customer");
        assertThat(headers.get(Headers.DL_FROM_QUEUE)).isEqualTo("in");
        assertThat(queue("out").totalSize()).isZero();
    }

    @Test
    void choiceGoesWhereItIsTold() {
        start(jono().pipeline("shop")
                .choice(
                        queue("in"),
                        List.of(queue("first"), queue("second"), queue("third")),
                        (payload, message) -> payload.equals("next") ? Outcome.next() : Outcome.to(payload)));
        queue("in").pushAll(List.of("next", "second", "third", "third"));
        awaitReal("the choices", () -> queue("in").totalSize() == 0);
        assertThat(queue("first").size()).isEqualTo(1);
        assertThat(queue("second").size()).isEqualTo(1);
        assertThat(queue("third").size()).isEqualTo(2);
    }

    @Test
    void queueThatIsNotAmongTheTargetsIsAFailureAndLosesNothing() {
        start(jono().pipeline("shop")
                .retryDelay(Backoff.fixed(seconds(3)))
                .choice(queue("in"), List.of(queue("first")), (payload, message) -> {
                    seen.add(payload);
                    return message.tries() == 0 ? Outcome.to("nowhere") : Outcome.to("first");
                }));
        queue("in").push("a");
        passUntil("the second try", seconds(100), () -> queue("first").size() == 1);
        assertThat(queue("nowhere").totalSize()).isZero();
        assertThat(seen).hasSize(2);
    }

    @Test
    void sinkEndsWhatItProcessed() {
        start(jono().pipeline("shop").sink(queue("in"), (payload, message) -> {
            seen.add(payload);
            return Outcome.next();
        }));
        queue("in").pushAll(List.of("a", "b"));
        awaitReal("the sink", () -> queue("in").totalSize() == 0);
        assertThat(seen).containsExactly("a", "b");
    }

    @Test
    void linksTellWhereTheyLead() {
        Pipeline pipeline = start(jono().pipeline("shop")
                .direct(queue("a"), queue("b"), (payload, message) -> Outcome.next())
                .choice(queue("b"), List.of(queue("c"), queue("d")), (payload, message) -> Outcome.next())
                .sink(queue("c"), (payload, message) -> Outcome.next()));
        assertThat(pipeline.name()).isEqualTo("shop");
        assertThat(pipeline.links().stream().map(Link::name)).containsExactly("a->b", "b->{c,d}", "c->(sink)");
        assertThat(pipeline.links().get(2).targets()).isEmpty();
    }

    @Test
    void emptyPipelineAndEmptyChoiceAreRefused() {
        assertThatThrownBy(() -> jono().pipeline("shop").start()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() ->
                        jono().pipeline("shop").choice(queue("a"), List.of(), (payload, message) -> Outcome.next()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
