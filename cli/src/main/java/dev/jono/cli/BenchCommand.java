package dev.jono.cli;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.ReserveOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "bench",
        sortOptions = false,
        description = {
            "Measure a storage: messages per second, and latencies in microseconds.",
            "Uses new queues, and empties them at the end. Counts lost and duplicate messages. Exit code 1 if there are"
                    + " any.",
            "A latency is the time of one call. For e2e it is the time from push to delivery, for pipeline the time from"
                    + " the first stage to the sink."
        })
final class BenchCommand implements Callable<Integer> {
    private static final int DEFAULT_MESSAGES = 20_000;
    private static final int E2E_SECONDS = 5;

    @Parameters(index = "0", paramLabel = "URL", description = "The storage, such as sqlite:/var/lib/queues.db.")
    private String url = "";

    @Option(
            names = "--op",
            paramLabel = "OP",
            description = "What to measure: push, pop, reserve-ack, e2e or pipeline. Default: all.")
    private @Nullable Op op;

    @Option(
            names = "--callers",
            paramLabel = "N",
            description = "Asynchronous calls in flight. Default: ${DEFAULT-VALUE}.")
    private int callers = 16;

    @Option(names = "--batch", paramLabel = "N", description = "Messages per call. Default: ${DEFAULT-VALUE}.")
    private int batch = 1;

    @Option(names = "--size", paramLabel = "BYTES", description = "Bytes per payload. Default: ${DEFAULT-VALUE}.")
    private int size = 200;

    @Option(
            names = "-n",
            paramLabel = "N",
            description = "Messages to send. Default: " + DEFAULT_MESSAGES + "; for e2e 5 seconds at --rate.")
    private @Nullable Integer messages;

    @Option(
            names = "--rate",
            paramLabel = "R",
            description = "For e2e: messages per second, 0 for no limit. Default: ${DEFAULT-VALUE}.")
    private int rate = 1_000;

    @Option(names = "--json", description = "Print a JSON line per op instead of a table.")
    private boolean json;

    private final CommonOptions common;

    BenchCommand(CommonOptions common) {
        this.common = common;
    }

    /** What the benchmark measures. */
    enum Op {
        PUSH,
        POP,
        RESERVE_ACK,
        E2E,
        PIPELINE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkUsage();
        List<Op> ops = op == null ? new ArrayList<>(List.of(Op.values())) : List.of(op);
        if (op == Op.E2E) {
            StorageCommand.requireShared(url, "bench --op e2e");
        } else if (op == null && !StorageCommand.isShared(url)) {
            ops.remove(Op.E2E);
            common.io().say("e2e is skipped: it needs a storage that several processes can use");
        }
        JsonLines lines = new JsonLines(common.io().out());
        boolean clean = true;
        try (InterruptSignals signals = new InterruptSignals();
                QueueFactory jono = common.connect(url)) {
            if (!json) {
                common.io().print(BenchResult.HEADING);
            }
            for (Op each : ops) {
                BenchResult result = measured(jono, each);
                if (json) {
                    lines.line(result::fields);
                    lines.flush();
                } else {
                    common.io().print(result.row());
                }
                clean &= result.isClean() && !signals.raised();
            }
        }
        return clean ? Exit.DONE : Exit.ERROR;
    }

    private void checkUsage() {
        if (callers < 1 || batch < 1 || (messages != null && messages < 1) || rate < 0) {
            throw CliException.usage("--callers, --batch and -n must be at least 1, --rate at least 0");
        }
        if (size < BenchPlan.MIN_SIZE) {
            throw CliException.usage(
                    "--size must be at least " + BenchPlan.MIN_SIZE + ": each message contains a number");
        }
        if ((long) callers * batch > 10_000_000) {
            throw CliException.usage("--callers times --batch must not be more than 10000000");
        }
    }

    private BenchResult measured(QueueFactory jono, Op what) throws IOException, InterruptedException {
        int fallback = what == Op.E2E && rate > 0 ? E2E_SECONDS * rate : DEFAULT_MESSAGES;
        BenchPlan plan = new BenchPlan(callers, batch, size, messages == null ? fallback : messages, rate);
        String name = "bench-" + what + "-" + UUID.randomUUID();
        MessageQueue<byte[]> queue = plan.queue(jono, name);
        MessageQueue<byte[]> next = plan.queue(jono, name + "-2");
        BenchOps ops = new BenchOps(jono, plan);
        try {
            return switch (what) {
                case PUSH -> ops.push(queue);
                case POP -> ops.pop(queue);
                case RESERVE_ACK -> ops.reserveAck(queue);
                case E2E -> endToEnd(plan, queue);
                case PIPELINE -> ops.pipeline(queue, next);
            };
        } finally {
            queue.purge();
            if (what == Op.PIPELINE) {
                next.purge();
            }
        }
    }

    /** Consumes in this process what another process produces. */
    private BenchResult endToEnd(BenchPlan plan, MessageQueue<byte[]> queue) throws IOException, InterruptedException {
        SharedClock clock = SharedClock.start();
        List<String> arguments = new ArrayList<>(List.of("bench-producer", url, queue.name(), "--origin"));
        arguments.add(clock.origin());
        arguments.addAll(List.of("--callers", "" + callers, "--batch", "" + batch, "--size", "" + size));
        arguments.addAll(List.of("-n", "" + plan.messages(), "--rate", "" + rate));
        BenchTally tally = new BenchTally(plan.messages());
        try (ChildProcess producer =
                common.startChild("producer", List.of(), arguments, line -> {}, common.io()::say)) {
            BenchOps.take(
                    queue,
                    tally,
                    1,
                    () -> !producer.isAlive(),
                    () -> queue.reserveAsync(Math.max(batch, 256), BenchOps.IDLE_LIMIT, ReserveOptions.none())
                            .thenCompose(got -> {
                                long now = clock.micros();
                                got.forEach(message -> tally.addLatency(now - BenchPlan.micros(message.payload())));
                                return got.isEmpty()
                                        ? java.util.concurrent.CompletableFuture.completedFuture(false)
                                        : queue.ackAllAsync(got).thenApply(done -> {
                                            got.forEach(
                                                    message -> tally.addNumber(BenchPlan.number(message.payload())));
                                            return true;
                                        });
                            }));
            if (producer.join(Duration.ofSeconds(10)) != Exit.DONE) {
                throw CliException.error("the producer failed");
            }
        }
        tally.addRemaining(queue.counts().total());
        return tally.result("e2e", queue.backend(), plan);
    }
}
