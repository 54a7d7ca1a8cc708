package dev.jono.cli;

import dev.jono.BrowsedMessage;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The first act of the demo: a log moves through queues. Used by one thread. */
final class DemoQueuesAct {
    private static final int WORKERS = 3;
    private static final String VICTIM = "worker-1";
    private static final String DEATH = "held messages; they return when their leases end";
    /** The share of messages that is delivered when the worker is killed. */
    private static final double KILL_AT = 0.35;

    private static final int PAGE = 500;

    private final DemoSetting setting;
    private final DemoQueues queues;
    private final DemoQueuesLedger ledger;
    private final long lines;

    /** @param lines the number of messages */
    DemoQueuesAct(DemoSetting setting, long lines) {
        this.setting = setting;
        this.queues = DemoQueues.open(setting.jono(), setting.prefix());
        this.ledger = new DemoQueuesLedger((long) (lines * KILL_AT));
        this.lines = lines;
    }

    /**
     * Plays the act.
     *
     * @param file holds the lines; null to generate them
     * @param backlog the producer pauses while more messages are ready
     */
    DemoSummary play(@Nullable Path file, int backlog) throws IOException, InterruptedException {
        setting.display()
                .say(String.format(
                        Locale.ROOT,
                        "queues: %,d lines; 1 producer, 1 pipeline stage, %d workers, one of which will be killed",
                        lines,
                        WORKERS));
        try (DemoProcesses processes = new DemoProcesses(setting, ledger, VICTIM, DEATH)) {
            SharedClock clock = SharedClock.start();
            processes.start(DemoReport.STAGE, setting.child("demo-stage", clock));
            for (int i = 1; i <= WORKERS; i++) {
                processes.start("worker-" + i, setting.child("demo-worker", clock));
            }
            List<String> producer = setting.child("demo-producer", clock, "--backlog", "" + backlog);
            producer.addAll(file == null ? List.of("--lines", "" + lines) : List.of("--file", "" + file));
            ChildProcess producing = processes.startTask("producer", producer);
            processes.watch(() -> standing(!producing.isAlive()));
            boolean killed = processes.stop();
            // All reports of the victim are read, so the ledger knows which messages it held.
            int held = killed ? ledger.heldBy(VICTIM).cardinality() : -1;
            return ledger.summary(deadLetterNumbers(), queues.unfinished(), held);
        } finally {
            setting.display().clear();
            queues.purge();
        }
    }

    /** @param allPushed whether the producer had ended before this call */
    private DemoProcesses.Standing standing(boolean allPushed) {
        long open = queues.unfinished();
        return new DemoProcesses.Standing(
                allPushed && open == 0, ledger.progress() + String.format(Locale.ROOT, "  open %,d", open));
    }

    /** The numbers of the dead letters. */
    private BitSet deadLetterNumbers() {
        BitSet found = new BitSet();
        Codec<LogLine> codec = Codec.json(LogLine.class);
        @Nullable String after = null;
        for (List<BrowsedMessage<EncodedPayload>> page = queues.dead().browse(after, PAGE);
                !page.isEmpty();
                page = queues.dead().browse(after, PAGE)) {
            for (BrowsedMessage<EncodedPayload> message : page) {
                found.set(number(codec, message));
                after = message.cursor();
            }
        }
        return found;
    }

    /** The number of a line or an event, which have the same field for it. */
    private static int number(Codec<LogLine> codec, BrowsedMessage<EncodedPayload> message) {
        try {
            return codec.decode(message.raw(), Headers.empty()).n();
        } catch (Exception e) {
            throw CliException.error("dead letter " + message.id() + " cannot be read: " + e.getMessage(), e);
        }
    }
}
