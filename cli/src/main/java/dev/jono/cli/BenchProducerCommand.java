package dev.jono.cli;

import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "bench-producer", hidden = true, description = "The producer process of 'bench --op e2e'.")
final class BenchProducerCommand extends StorageCommand {
    @Parameters(index = "1")
    private String queue = "";

    @Option(names = "--callers")
    private int callers = 1;

    @Option(names = "--batch")
    private int batch = 1;

    @Option(names = "--size")
    private int size = BenchPlan.MIN_SIZE;

    @Option(names = "-n")
    private int messages = 1;

    @Option(names = "--rate")
    private int rate;

    @Option(names = "--origin", required = true)
    private String origin = "";

    BenchProducerCommand(CommonOptions common) {
        super(common);
    }

    @Override
    int run(QueueFactory jono) throws IOException, InterruptedException {
        BenchPlan plan = new BenchPlan(callers, batch, size, messages, rate);
        SharedClock stamps = SharedClock.join(origin);
        MessageQueue<byte[]> target = plan.queue(jono, queue);
        ParentWatch parent = new ParentWatch(io().in());
        AtomicInteger next = new AtomicInteger();
        JonoClock clock = JonoClock.system();
        long start = clock.nanos();
        new InFlight(callers).run(new InFlight.Calls() {
            @Override
            public boolean more() throws InterruptedException {
                long due = rate == 0 ? 0 : (long) (next.get() * 1e9 / rate);
                return next.get() < messages
                        && !parent.await(Duration.ofNanos(Math.max(0, due - clock.nanos() + start)));
            }

            @Override
            public CompletableFuture<?> next() {
                return BenchOps.send(target, plan, stamps, next);
            }
        });
        return Exit.DONE;
    }
}
