package dev.jono.cli;

import dev.jono.MessageQueue;
import dev.jono.OutcomeUnknownException;
import dev.jono.PartialFailureException;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.StaleReservationException;
import dev.jono.Worker;
import dev.jono.cli.LogLine.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "demo-worker", hidden = true, description = "A process of 'demo' that handles the sorted lines.")
final class DemoWorkerCommand extends DemoChildCommand {
    private static final int BATCH = 64;
    private static final int FLAKY_FAILURES = 2;

    DemoWorkerCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void run(QueueFactory jono, String prefix, SharedClock clock, DemoReport report, ParentWatch parent)
            throws InterruptedException {
        DemoQueues queues = DemoQueues.open(jono, prefix);
        Worker worker = jono.worker()
                .name("demo")
                .concurrency(2 * BATCH)
                .fromBatch(queues.requests(), BATCH, batch -> handle(queues.requests(), batch, clock, report))
                .fromBatch(queues.problems(), BATCH, batch -> handle(queues.problems(), batch, clock, report))
                .start();
        parent.await();
        worker.stop(Duration.ofSeconds(10));
    }

    /** Settles each message itself, to report to the parent which messages were acked. */
    private static void handle(
            MessageQueue<LogEvent> queue, List<Reservation<LogEvent>> batch, SharedClock clock, DemoReport report) {
        long now = clock.micros();
        report.send(
                DemoReport.DELIVERED,
                batch.stream().map(d -> d.payload().n() + ":" + d.tries()).toList());
        List<Reservation<LogEvent>> good = new ArrayList<>();
        for (Reservation<LogEvent> delivery : batch) {
            if (mustFail(delivery)) {
                fail(delivery, report);
            } else {
                good.add(delivery);
            }
        }
        ack(queue, good, now, report);
    }

    private static boolean mustFail(Reservation<LogEvent> delivery) {
        Fate fate = delivery.payload().fate();
        return fate == Fate.POISON || (fate == Fate.FLAKY && delivery.tries() < FLAKY_FAILURES);
    }

    private static void fail(Reservation<LogEvent> delivery, DemoReport report) {
        int n = delivery.payload().n();
        try {
            delivery.retry(new IllegalStateException("line " + n + " is meant to fail"));
            report.send(DemoReport.FAILED, n);
        } catch (StaleReservationException e) {
            report.send(DemoReport.STALE, n);
        }
    }

    private static void ack(
            MessageQueue<LogEvent> queue, List<Reservation<LogEvent>> good, long now, DemoReport report) {
        if (good.isEmpty()) {
            return;
        }
        report.send(DemoReport.ACKING, good.stream().map(d -> d.payload().n()).toList());
        try {
            queue.ackAll(good);
            report.send(DemoReport.ACKED, good.stream().map(d -> acked(d, now)).toList());
        } catch (PartialFailureException e) {
            for (int i = 0; i < good.size(); i++) {
                RuntimeException failure = e.results().get(i).failure();
                if (failure == null) {
                    report.send(DemoReport.ACKED, acked(good.get(i), now));
                } else if (!(failure instanceof OutcomeUnknownException)) {
                    report.send(DemoReport.STALE, good.get(i).payload().n());
                }
            }
        }
    }

    private static String acked(Reservation<LogEvent> delivery, long now) {
        LogEvent event = delivery.payload();
        boolean ordinary = event.fate() == Fate.PLAIN && delivery.tries() == 0;
        return ordinary ? event.n() + ":" + (now - event.at()) : Integer.toString(event.n());
    }
}
