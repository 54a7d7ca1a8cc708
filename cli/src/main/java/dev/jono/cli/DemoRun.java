package dev.jono.cli;

import dev.jono.BrowsedMessage;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.JonoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One run of the demo: starts the processes, watches them, kills a worker, and computes the summary. */
final class DemoRun implements AutoCloseable {
    private static final String VICTIM = "worker-1";
    /** The share of messages that is delivered when the worker is killed. */
    private static final double KILL_AT = 0.35;

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration STALL = Duration.ofSeconds(60);
    private static final Duration END = Duration.ofSeconds(30);
    private static final int PAGE = 500;
    /** For six processes that run for a minute, the optimizing compiler costs more time than it saves. */
    private static final List<String> JVM_OPTIONS = List.of("-XX:TieredStopAtLevel=1");

    private final CommonOptions common;
    private final DemoQueues queues;
    private final DemoDisplay display;
    private final DemoLedger ledger = new DemoLedger();
    private final List<ChildProcess> children = new ArrayList<>();
    private final AtomicInteger heldByKilled = new AtomicInteger(-1);
    private final long killAt;
    private final JonoClock clock = JonoClock.system();
    private volatile @Nullable ChildProcess victim;

    /**
     * Creates a run without starting a process.
     *
     * @param expected the number of messages
     */
    DemoRun(CommonOptions common, DemoQueues queues, DemoDisplay display, long expected) {
        this.common = common;
        this.queues = queues;
        this.display = display;
        this.killAt = (long) (expected * KILL_AT);
    }

    /** Starts a process of the demo. */
    ChildProcess start(String name, List<String> arguments) throws IOException {
        ChildProcess child =
                common.startChild(name, JVM_OPTIONS, arguments, line -> onReport(name, line), display::say);
        children.add(child);
        if (name.equals(VICTIM)) {
            victim = child;
        }
        return child;
    }

    private void onReport(String process, String line) {
        ledger.record(process, line);
        ChildProcess target = victim;
        // The victim has just reported that it received messages, so it dies while it holds them.
        if (target != null
                && process.equals(VICTIM)
                && line.startsWith(DemoReport.DELIVERED)
                && ledger.delivered() >= killAt
                && ledger.heldBy(VICTIM) > 0) {
            victim = null;
            target.kill();
            display.say("killed " + VICTIM + " while it held messages; they return when their leases end");
        }
    }

    /** Waits until the producer has ended and the queues are empty, or until nothing happens for a minute. */
    DemoSummary watch(ChildProcess producer) throws InterruptedException {
        long start = clock.nanos();
        long lastEvents = -1;
        long lastEventNanos = start;
        while (true) {
            boolean allPushed = !producer.isAlive();
            long open = queues.unfinished();
            if (allPushed && open == 0) {
                break;
            }
            long events = ledger.events();
            if (events != lastEvents) {
                lastEvents = events;
                lastEventNanos = clock.nanos();
            } else if (clock.nanos() - lastEventNanos > STALL.toNanos()) {
                display.say("no progress for " + STALL.toSeconds() + " s");
                break;
            }
            checkChildren(producer);
            display.show(ledger.progress() + String.format("  open %,d  %.0f s", open, (clock.nanos() - start) / 1e9));
            if (new CountDownLatch(1).await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the latch cannot open");
            }
        }
        stopChildren();
        return ledger.summary(deadLetterNumbers(), queues.unfinished(), heldByKilled.get());
    }

    private void checkChildren(ChildProcess producer) throws InterruptedException {
        for (ChildProcess child : children) {
            boolean mayEnd = child.name().equals(VICTIM) && victim == null;
            if (child.isAlive() || mayEnd) {
                continue;
            }
            int code = child.join(END);
            if (child != producer || code != Exit.DONE) {
                throw CliException.error("process " + child.name() + " of the demo ended with exit code " + code);
            }
        }
    }

    private void stopChildren() throws InterruptedException {
        children.forEach(ChildProcess::stop);
        for (ChildProcess child : children) {
            child.join(END);
            if (child.name().equals(VICTIM) && victim == null) {
                // All reports of the victim are read, so the ledger knows which messages it held.
                heldByKilled.set(ledger.heldBy(VICTIM));
            }
        }
    }

    /** The numbers of the dead letters. */
    private BitSet deadLetterNumbers() {
        BitSet found = new BitSet();
        Codec<LogLine> lines = Codec.json(LogLine.class);
        @Nullable String after = null;
        for (List<BrowsedMessage<EncodedPayload>> page = queues.dead().browse(after, PAGE);
                !page.isEmpty();
                page = queues.dead().browse(after, PAGE)) {
            for (BrowsedMessage<EncodedPayload> message : page) {
                found.set(number(lines, message));
                after = message.cursor();
            }
        }
        return found;
    }

    /** The number of a line or an event, which have the same field for it. */
    private static int number(Codec<LogLine> lines, BrowsedMessage<EncodedPayload> message) {
        try {
            return lines.decode(message.raw(), Headers.empty()).n();
        } catch (Exception e) {
            throw CliException.error("dead letter " + message.id() + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        children.forEach(ChildProcess::close);
    }
}
