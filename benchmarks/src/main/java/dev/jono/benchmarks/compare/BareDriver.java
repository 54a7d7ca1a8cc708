package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient;
import dev.jono.benchmarks.QueueClient.Step;
import dev.jono.benchmarks.JdbcLoop;
import dev.jono.benchmarks.LettuceLoop;
import dev.jono.benchmarks.MongoLoop;
import dev.jono.benchmarks.NumberedMessages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The storage with the best loop written by hand: what this machine can do. It knows beforehand how many there are to take. */
final class BareDriver implements Driver {
    private final QueueClient one;
    private final QueueClient best;

    BareDriver(Map<String, String> settings) throws Exception {
        String on = Drivers.need(settings, "on");
        switch (on) {
            case "redis" -> {
                String url = Drivers.need(settings, "url");
                this.one = new LettuceLoop(url, false, 1, 1, false);
                this.best = new LettuceLoop(url, false, 100, 5, false);
            }
            case "mongo" -> {
                String url = Drivers.need(settings, "url");
                this.one = new MongoLoop(url, 1);
                this.best = new MongoLoop(url, 500, 4);
            }
            case "sqlite" -> {
                JdbcLoop loop = new JdbcLoop(Path.of(Drivers.need(settings, "file")));
                this.one = loop.as(1);
                this.best = loop.as(1000);
            }
            default -> throw new IllegalArgumentException("no loop on " + on);
        }
    }

    private QueueClient of(int width) {
        return width == BEST ? best : one;
    }

    @Override
    public void push(Payloads payloads, int width) throws Exception {
        of(width).run(Step.PUSH, new NumberedMessages(payloads.all(), text -> {}));
    }

    @Override
    public void send(String text) {
        throw new UnsupportedOperationException("a loop has no flow");
    }

    @Override
    public void flush() {}

    @Override
    public void take(Step step, TakeProgress intake, int width) throws Exception {
        of(width).run(step, new NumberedMessages(intake.expected(), text -> {
            intake.arrived(text);
            intake.settled(1);
        }));
        intake.stop();
    }

    @Override
    public void close() throws IOException {
        one.close();
        best.close();
    }
}
