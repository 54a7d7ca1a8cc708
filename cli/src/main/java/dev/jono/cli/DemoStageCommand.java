package dev.jono.cli;

import dev.jono.Message;
import dev.jono.QueueFactory;
import dev.jono.cli.LogLine.Fate;
import dev.jono.pipeline.Outcome;
import dev.jono.pipeline.Pipeline;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "demo-stage", hidden = true, description = "The process of 'demo' that parses and sorts the lines.")
final class DemoStageCommand extends DemoChildCommand {
    private static final int CONCURRENCY = 64;

    DemoStageCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void run(QueueFactory jono, String prefix, SharedClock clock, DemoReport report, ParentWatch parent)
            throws InterruptedException {
        DemoQueues queues = DemoQueues.open(jono, prefix);
        Pipeline pipeline = jono.pipeline("demo")
                .concurrency(CONCURRENCY)
                .retryDelay(DemoQueues.BACKOFF)
                .choice(
                        queues.lines(),
                        List.of(queues.requests(), queues.problems()),
                        (line, message) -> sorted(line, message, queues, clock, report))
                .start();
        parent.await();
        pipeline.stop(Duration.ofSeconds(10));
    }

    private static Outcome sorted(
            LogLine line, Message<LogLine> message, DemoQueues queues, SharedClock clock, DemoReport report) {
        report.send(DemoReport.DELIVERED, line.n() + ":" + message.tries());
        if (clock.micros() < line.at() + line.delayMillis() * 1_000) {
            report.send(DemoReport.EARLY, line.n());
        }
        if (line.fate() == Fate.UNREADABLE) {
            return Outcome.reject("line " + line.n() + " cannot be read");
        }
        if (line.fate() == Fate.BUMPY && message.tries() == 0) {
            return Outcome.retry();
        }
        LogEvent event = LogEvent.parse(line);
        return Outcome.to((event.isProblem() ? queues.problems() : queues.requests()).name())
                .payload(event);
    }
}
