package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.JdbcLoop;
import dev.jono.benchmarks.LettuceLoop;
import dev.jono.benchmarks.MongoLoop;
import dev.jono.benchmarks.NumberedMessages;
import dev.jono.benchmarks.QueueClient;
import dev.jono.benchmarks.QueueClient.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Drives a loop written by hand on the bare storage, which shows what the machine can do. The loop knows in advance how
 * many messages it takes.
 */
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
            default -> throw new IllegalArgumentException("there is no loop on " + on);
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
        throw new UnsupportedOperationException("a loop has no paced flow");
    }

    @Override
    public void flush() {}

    @Override
    public void take(Step step, TakeProgress progress, int width) throws Exception {
        of(width).run(step, new NumberedMessages(progress.expected(), text -> {
            progress.arrived(text);
            progress.settled(1);
        }));
        progress.stop();
    }

    @Override
    public void close() throws IOException {
        one.close();
        best.close();
    }
}
