package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueCounts;
import dev.jono.QueueFactory;
import dev.jono.QueueNotEmptyException;
import dev.jono.Reservation;
import dev.jono.pipeline.Outcome;
import dev.jono.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract for killed clients: {@code kill -9} of any client at any point loses no acknowledged push, and messages
 * that it had reserved return after the lease. For backends that are SHARED and DURABLE. The setup must be in real time
 * and have a URL for other processes. Name the subclass {@code *ContractTest}, so that Surefire runs it.
 */
@Tag("fault")
@Tag("crash")
@DisplayName("crash")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class CrashContract {
    /** Longer than any pause of a busy host: no live holder may lose its lease in these tests. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final List<ChildJvm> children = new CopyOnWriteArrayList<>();
    private @Nullable ContractSetup setup;
    private @Nullable QueueFactory jono;

    /** For subclasses. */
    protected CrashContract() {}

    /** Returns an empty storage location, in real time. Called for each test. */
    protected abstract ContractSetup open();

    @BeforeEach
    final void openStorage() {
        ContractSetup opened = open();
        setup = opened;
        for (Capability capability : List.of(Capability.SHARED, Capability.DURABLE)) {
            assumeTrue(opened.capabilities().contains(capability), () -> "the backend declares no " + capability);
        }
        assertThat(opened.clock())
                .as("a clock that other processes do not share")
                .isEmpty();
        assertThat(opened.otherProcessUrl()).as("a URL for other processes").isPresent();
        jono = opened.client().connect();
    }

    @AfterEach
    final void killChildren() {
        children.forEach(ChildJvm::close);
        if (jono != null) {
            jono.close();
        }
        if (setup != null) {
            setup.close();
        }
    }

    private QueueFactory jono() {
        if (jono == null) {
            throw new IllegalStateException("no client yet");
        }
        return jono;
    }

    private MessageQueue<String> orders() {
        return jono().queue("orders", Codec.string(), CrashChild.options(LEASE.toMillis()));
    }

    private void requires(Capability capability) {
        if (setup != null) {
            assumeTrue(setup.capabilities().contains(capability), () -> "the backend declares no " + capability);
        }
    }

    private ChildJvm child(String role) {
        if (setup == null) {
            throw new IllegalStateException("no storage yet");
        }
        ChildJvm child = ChildJvm.start(
                CrashChild.class,
                role,
                setup.otherProcessUrl().orElseThrow(),
                setup.namespace(),
                String.valueOf(LEASE.toMillis()));
        children.add(child);
        return child;
    }

    private static void await(String what, BooleanSupplier holds) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(60))
                .until(holds::getAsBoolean);
    }

    private List<String> numbered(int count) {
        List<String> payloads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            payloads.add("m" + i);
        }
        return payloads;
    }

    private List<String> popEverything(MessageQueue<String> queue) throws InterruptedException {
        List<String> all = new ArrayList<>();
        for (List<Message<String>> some = queue.pop(500, Duration.ZERO);
                !some.isEmpty();
                some = queue.pop(500, Duration.ZERO)) {
            some.forEach(m -> all.add(m.payload()));
        }
        return all;
    }

    private static void assertNoneLost(List<String> acknowledged, List<String> stored) {
        Set<String> lost = new HashSet<>(acknowledged);
        stored.forEach(lost::remove);
        assertThat(lost)
                .as("acknowledged and lost messages, of " + acknowledged.size())
                .isEmpty();
    }

    @Test
    void killedProducerLosesNoAcknowledgedPush() throws Exception {
        for (int round = 0; round < 3; round++) {
            int enough = 100 + 137 * round;
            ChildJvm child = child("push");
            child.await("pushes", c -> c.lines("acked ").size() >= enough);
            child.kill();
            Set<String> begun = new HashSet<>(child.lines("pushing "));
            List<String> stored = popEverything(orders());
            assertThat(stored).as("stored by round " + round).doesNotHaveDuplicates();
            assertNoneLost(child.lines("acked "), stored);
            assertThat(begun).as("begun").containsAll(stored);
            assertThat(orders().totalSize()).isZero();
        }
    }

    @Test
    void deletingAllTheWhileLosesNoAcknowledgedPushOfAnotherProcess() throws Exception {
        requires(Capability.DELETE);
        ChildJvm child = child("trickle");
        List<String> popped = new ArrayList<>();
        int deleted = 0;
        while (deleted < 20 || child.lines("acked ").size() < 200) {
            try {
                orders().delete();
                deleted++;
            } catch (QueueNotEmptyException refused) {
                assertThat(refused.messages()).isPositive();
                popped.addAll(popEverything(orders()));
            }
        }
        child.kill();
        popped.addAll(popEverything(orders()));
        assertThat(popped).doesNotHaveDuplicates();
        assertNoneLost(child.lines("acked "), popped);
    }

    @Test
    void whatAKilledConsumerHeldReturnsAfterTheLease() throws Exception {
        requires(Capability.RESERVE);
        orders().pushAll(numbered(30));
        ChildJvm child = child("hold");
        child.await("its reservations", c -> c.lines().contains("held"));
        List<String> held = child.lines("holding ");
        assertThat(held).hasSize(30);
        child.kill();
        assertThat(orders().counts()).isEqualTo(QueueCounts.of(0, 0, 30));
        await("the leases to end", () -> orders().counts().equals(QueueCounts.of(30, 0, 0)));
        List<Reservation<String>> back = new ArrayList<>();
        while (back.size() < 30) {
            List<Reservation<String>> some = orders().reserve(30, Duration.ofSeconds(10));
            assertThat(some).isNotEmpty();
            back.addAll(some);
        }
        assertThat(back.stream().map(Message::payload)).containsExactlyElementsOf(held);
        assertThat(back).allMatch(r -> r.tries() == 1);
        orders().ackAll(back);
        assertThat(orders().totalSize()).isZero();
    }

    @Test
    void consumerKilledBetweenReserveAndAckLosesAndDoublesNothing() throws Exception {
        requires(Capability.RESERVE);
        List<String> pushed = numbered(600);
        orders().pushAll(pushed);
        Set<String> acked = new HashSet<>();
        Set<String> doubtful = new HashSet<>();
        for (int round = 0; round < 3; round++) {
            ChildJvm child = child("consume");
            child.await("acks", c -> c.lines("acked ").size() >= 60);
            child.kill();
            List<String> done = child.lines("acked ");
            assertThat(acked).as("acked once before").doesNotContainAnyElementsOf(done);
            acked.addAll(done);
            doubtful.addAll(child.lines("acking "));
        }
        doubtful.removeAll(acked);
        assertThat(doubtful).as("acks in flight at a kill").hasSizeLessThanOrEqualTo(3);
        await("the leases to end", () -> orders().counts().reserved() == 0);
        List<String> rest = popEverything(orders());
        assertThat(rest).doesNotHaveDuplicates().doesNotContainAnyElementsOf(acked);
        Set<String> found = new HashSet<>(rest);
        found.addAll(acked);
        Set<String> missing = new HashSet<>(pushed);
        missing.removeAll(found);
        assertThat(doubtful)
                .as("only messages whose ack was in flight may be gone")
                .containsAll(missing);
    }

    @Test
    void killedPopperLosesOnlyWhatTheStorageGaveIt() throws Exception {
        List<String> pushed = numbered(600);
        orders().pushAll(pushed);
        ChildJvm child = child("pop");
        child.await("pops", c -> c.lines("popped ").size() >= 50);
        child.kill();
        List<String> got = new ArrayList<>(child.lines("popped "));
        got.addAll(popEverything(orders()));
        assertThat(got).doesNotHaveDuplicates();
        assertThat(pushed).containsAll(got);
        // One take may have been in flight, and one message may have been handed out and not reported.
        assertThat(pushed.size() - got.size()).isBetween(0, 6);
    }

    @Test
    void competingProcessesAreCompleteAndUnique() {
        requires(Capability.RESERVE);
        List<ChildJvm> workers = List.of(child("work"), child("work"), child("work"));
        workers.forEach(w -> w.await("readiness", c -> c.lines().contains("ready")));
        List<String> pushed = numbered(1_000);
        for (int i = 0; i < 1_000; i += 10) {
            orders().pushAll(pushed.subList(i, i + 10));
        }
        await("the queue to be empty", () -> orders().totalSize() == 0);
        await(
                "the last lines",
                () -> workers.stream().mapToInt(w -> w.lines("handled ").size()).sum() >= 1_000);
        List<String> handled = new ArrayList<>();
        workers.forEach(w -> handled.addAll(w.lines("handled ")));
        assertThat(handled).containsExactlyInAnyOrderElementsOf(pushed);
        assertThat(workers)
                .as("workers that handled messages")
                .allMatch(w -> !w.lines("handled ").isEmpty());
        assertThat(jono().deadLetters().totalSize()).isZero();
    }

    @Test
    void oneMessageAmongAThousandThatKillsItsProcessIsTheOnlyOneMoved() throws Exception {
        requires(Capability.RESERVE);
        List<String> payloads = numbered(999);
        payloads.add(500, "poison");
        orders().pushAll(payloads);
        List<String> acked = new ArrayList<>();
        int deaths = 0;
        for (int exit = CrashChild.POISONED; exit == CrashChild.POISONED; ) {
            ChildJvm child = child("batches");
            exit = child.join();
            acked.addAll(child.lines("acked "));
            deaths += exit == CrashChild.POISONED ? 1 : 0;
            assertThat(deaths).as("deaths, with three deliveries").isLessThanOrEqualTo(3);
            await("the leases to end", () -> orders().counts().reserved() == 0);
            if (exit == 0 && orders().totalSize() > 0) {
                exit = CrashChild.POISONED;
            }
        }
        assertThat(deaths).isEqualTo(3);
        assertThat(orders().totalSize()).isZero();
        assertThat(acked).hasSize(999).doesNotContain("poison").doesNotHaveDuplicates();
        List<Message<dev.jono.EncodedPayload>> dead = jono().deadLetters().pop(10, Duration.ZERO);
        assertThat(dead.stream().map(m -> m.payload().text())).containsExactly("poison");
        assertThat(dead.get(0).headers().get(Headers.DL_REASON)).isEqualTo("expired");
    }

    @Test
    void killedHoldersOfBatchesBreakNoOrderOfAKey() throws Exception {
        requires(Capability.RESERVE);
        requires(Capability.KEYED);
        MessageQueue<String> keyed =
                jono().queue("keyed", Codec.string(), CrashChild.keyedOptions(CrashChild.options(LEASE.toMillis())));
        List<String> pushed = new ArrayList<>();
        int enough = 15;
        for (int round = 1; round <= 3; round++) {
            for (int i = pushed.size(); i < round * 200; i++) {
                String key = "k" + i % 8;
                pushed.add(key + ":" + i);
                keyed.push(pushed.get(i), PushOptions.none().key(key));
            }
            List<ChildJvm> holders = List.of(child("keyed"), child("keyed"));
            await(
                    "messages to be handled",
                    () -> holders.stream()
                                    .mapToInt(holder -> holder.lines("handled ").size())
                                    .sum()
                            >= enough);
            holders.forEach(ChildJvm::kill);
        }
        ChildJvm last = child("keyed");
        await("the queue to be empty", () -> keyed.totalSize() == 0);
        last.kill();
        List<String> handled = popEverything(jono().queue("log", Codec.string()));
        assertThat(new HashSet<>(handled)).isEqualTo(new HashSet<>(pushed));
        Map<String, Integer> latest = new HashMap<>();
        for (String message : handled) {
            String[] parts = message.split(":", -1);
            int number = Integer.parseInt(parts[1]);
            assertThat(number).as("order of " + parts[0]).isGreaterThanOrEqualTo(latest.getOrDefault(parts[0], 0));
            latest.put(parts[0], number);
        }
    }

    @Test
    void pipelineKilledInTheMiddleLosesNothing() throws Exception {
        requires(Capability.RESERVE);
        List<String> pushed = numbered(300);
        orders().pushAll(pushed);
        ChildJvm child = child("pipeline");
        child.await("messages to pass the first stage", c -> c.lines("through ").size() >= 30);
        child.kill();
        MessageQueue<String> middle = jono().queue("middle", Codec.string(), CrashChild.options(LEASE.toMillis()));
        MessageQueue<String> end = jono().queue("end", Codec.string());
        try (Pipeline pipeline = jono().pipeline("shop")
                .concurrency(4)
                .direct(orders(), middle, (payload, message) -> Outcome.next())
                .direct(middle, end, (payload, message) -> Outcome.next())
                .start()) {
            assertThat(pipeline.links()).hasSize(2);
            await("all messages to reach the end", () -> orders().totalSize() + middle.totalSize() == 0);
        }
        List<String> out = popEverything(end);
        if (orders().capabilities().contains(Capability.ATOMIC_MOVE)) {
            assertThat(out).containsExactlyInAnyOrderElementsOf(pushed);
        } else {
            assertThat(new HashSet<>(out)).containsExactlyInAnyOrderElementsOf(pushed);
        }
        assertThat(jono().deadLetters().totalSize()).isZero();
    }
}
