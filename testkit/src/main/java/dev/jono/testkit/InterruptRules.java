package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jono.Capability;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.RemoveOutcome;
import dev.jono.Reservation;
import dev.jono.Worker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Interrupts before and during every call: only a waiting pop or reserve ends by one. */
abstract class InterruptRules extends ContractCase {
    InterruptRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    /** An interrupt ends only a waiting pop or reserve. All other calls continue, and leave the interrupt flag set. */
    @Test
    void interruptEndsNoCallButTheWaitingOnes() throws Exception {
        MessageQueue<String> queue = orders();
        String id = queue.push("a").id();
        Map<String, Callable<?>> calls = new LinkedHashMap<>();
        calls.put("push", () -> queue.push("b"));
        calls.put("pushAll", () -> queue.pushAll(List.of("c", "d")));
        calls.put("counts", queue::counts);
        calls.put("nextMaturity", queue::nextMaturity);
        calls.put("pause", () -> ran(queue::pause));
        calls.put("resume", () -> ran(queue::resume));
        calls.put("isPaused", queue::isPaused);
        calls.put("stats", queue::stats);
        calls.put("queues", jono()::queues);
        if (declared(Capability.BROWSE)) {
            calls.put("browse", () -> queue.browse(null, 10));
            calls.put("get", () -> queue.get(id));
        }
        if (declared(Capability.RESERVE)) {
            addSettlingCalls(calls, queue);
        }
        if (declared(Capability.HISTORY)) {
            calls.put("history", () -> queue.history(10));
            calls.put("historySize", queue::historySize);
        }
        if (declared(Capability.REMOVE)) {
            calls.put("remove", () -> {
                assertThat(queue.remove(id)).isEqualTo(RemoveOutcome.REMOVED);
                return "removed";
            });
        }
        calls.put("purge", queue::purge);
        QueueFactory other = client(new Faults());
        MessageQueue<String> drained = orders(other);
        calls.put("drain", () -> ran(() -> drained.drain(seconds(10))));
        calls.put("QueueFactory.close", () -> ran(other::close));
        for (Map.Entry<String, Callable<?>> call : calls.entrySet()) {
            CompletableFuture<Boolean> interrupted = inBackground(() -> {
                Thread.currentThread().interrupt();
                call.getValue().call();
                return Thread.interrupted();
            });
            awaitReal(call.getKey() + " to end", interrupted::isDone);
            assertThat(interrupted.join()).as("the flag after " + call.getKey()).isTrue();
        }
        assertThat(queue.totalSize()).isZero();
    }

    /** Calls that settle reservations, one for each of six messages. */
    private void addSettlingCalls(Map<String, Callable<?>> calls, MessageQueue<String> queue)
            throws InterruptedException {
        queue.pushAll(List.of("1", "2", "3", "4", "5"));
        List<Reservation<String>> held = queue.reserve(6, Duration.ZERO);
        calls.put("extend", () -> ran(() -> held.get(0).extend(Duration.ofMinutes(1))));
        calls.put("release", () -> ran(() -> held.get(0).release()));
        calls.put("retry", () -> held.get(1).retry());
        calls.put("reject", () -> ran(() -> held.get(2).reject("no")));
        calls.put("redrive", () -> jono().deadLetters().redrive());
        calls.put("ack", () -> ran(() -> held.get(3).ack()));
        calls.put("ackAll", () -> ran(() -> queue.ackAll(held.subList(4, 5))));
        Worker worker =
                jono().worker().from(queue("idle"), (payload, delivery) -> {}).start();
        calls.put("Worker.stop", () -> {
            assertThat(worker.stop(seconds(10))).as("a clean end").isTrue();
            return "stopped";
        });
        if (declared(Capability.MOVE)) {
            calls.put("moveTo", () -> ran(() -> held.get(5).moveTo("elsewhere")));
        } else {
            held.get(5).ack();
        }
    }

    /** An interrupt while a call is in flight ends neither the call nor the wait for its reply. */
    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"INSERT", "COUNTS", "ACK", "RELEASE", "EXTEND", "MOVE"})
    void interruptDuringACallIsKeptAndTheCallIsDone(Call call) throws Exception {
        requires(Capability.RESERVE, Capability.MOVE);
        Faults faults = new Faults();
        MessageQueue<String> queue = orders(client(faults));
        MessageQueue<String> elsewhere = queue("elsewhere");
        assumeTrue(call != Call.MOVE || declared(Capability.ATOMIC_MOVE), "moves take several steps");
        queue.push("a");
        Reservation<String> held = reserved(queue);
        Callable<?> step = switch (call) {
            case INSERT -> () -> queue.push("b");
            case ACK -> () -> ran(held::ack);
            case RELEASE -> held::retry;
            case EXTEND -> () -> ran(() -> held.extend(Duration.ofMinutes(1)));
            case MOVE -> () -> ran(() -> held.moveTo("elsewhere"));
            default -> queue::counts;
        };
        faults.hold(call);
        AtomicReference<Thread> caller = new AtomicReference<>();
        CompletableFuture<Boolean> flag = inBackground(() -> {
            caller.set(Thread.currentThread());
            step.call();
            return Thread.interrupted();
        });
        awaitReal("the reply to be held back", () -> faults.held(call) > 0);
        Objects.requireNonNull(caller.get()).interrupt();
        assertThat(flag).isNotDone();
        faults.release(call);
        awaitReal("the call to end", flag::isDone);
        assertThat(flag.join()).as("the flag after it").isTrue();
        if (call == Call.INSERT || call == Call.COUNTS || call == Call.EXTEND) {
            held.ack();
        }
        assertThat(popAll(queue))
                .isEqualTo(call == Call.INSERT ? List.of("b") : call == Call.RELEASE ? List.of("a") : List.of());
        assertThat(popAll(elsewhere)).isEqualTo(call == Call.MOVE ? List.of("a") : List.of());
    }

    private static String ran(Runnable call) {
        call.run();
        return "ran";
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitingCallOnAnInterruptedThreadEndsAndLosesNothing(boolean reserves) throws Exception {
        if (reserves) {
            requires(Capability.RESERVE);
        }
        MessageQueue<String> queue = orders();
        CompletableFuture<Optional<?>> waiting = inBackground(() -> {
            Thread.currentThread().interrupt();
            return reserves ? queue.reserve(seconds(1_000)) : queue.pop(seconds(1_000));
        });
        awaitReal("the wait to end", waiting::isDone);
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(InterruptedException.class);
        queue.push("a");
        awaitReal("the message to be ready", () -> queue.size() == 1);
        assertThat(popAll(queue)).containsExactly("a");
    }
}
