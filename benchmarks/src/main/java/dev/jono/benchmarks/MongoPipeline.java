package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.pipeline.Outcome;
import dev.jono.pipeline.Pipeline;
import dev.jono.pipeline.PipelineBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Compares Jono's pipelines on {@code pl-mongo} with those of keuss: messages are pushed into the first queue, pass
 * three links, and are popped from the last queue.
 */
final class MongoPipeline {
    private static final int IN_FLIGHT = 64;
    private static final int WARM_UP_ROUNDS = 3;
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String TYPE = "pl-mongo";

    private MongoPipeline() {}

    static Row measure(int rounds, int ours, int theirs) throws Exception {
        NumberedMessages our = new NumberedMessages(ours);
        NumberedMessages their = new NumberedMessages(theirs);
        try (MongoTestbed testbed = new MongoTestbed();
                JonoPipeline jono = new JonoPipeline(testbed.url(TYPE, "jono"));
                KeussProcess keuss = new KeussProcess(testbed.uri("keuss"), TYPE, "keuss", IN_FLIGHT)) {
            Interleaved.warmUp(WARM_UP_ROUNDS, round(our, new MongoLoad(testbed), () -> jono.run(our), () -> {}));
            MongoLoad load = new MongoLoad(testbed);
            MongoLoad other = new MongoLoad(testbed);
            Interleaved.Comparison result = Interleaved.rates(
                    rounds,
                    round(our, load, () -> jono.run(our), () -> {}),
                    round(
                            their,
                            other,
                            () -> keuss.runPipeline(their),
                            () -> keuss.prepare(Map.of("op", "through", "total", theirs, "width", IN_FLIGHT))));
            return Row.ratio(
                            "pl-mongo-3-stages",
                            "pl-mongo through three links and popped, 64 in flight / keuss, the same",
                            4,
                            result)
                    .with("oursOnMongo", load.figures(), load.toString())
                    .with("theirsOnMongo", other.figures(), other.toString());
        }
    }

    /** The preparation or the timed part of a round. */
    private interface Part {
        void run() throws Exception;
    }

    private static Interleaved.Round round(NumberedMessages messages, MongoLoad load, Part work, Part preparation) {
        return new Interleaved.Round() {
            @Override
            public void before() throws Exception {
                messages.restart();
                preparation.run();
                load.begin();
            }

            @Override
            public long run() throws Exception {
                work.run();
                return messages.count();
            }

            @Override
            public void after() {
                load.end(messages.count());
                messages.requireEachOnce("the pipeline");
            }
        };
    }

    /** Jono's pipeline of four queues and three links. */
    private static final class JonoPipeline implements AutoCloseable {
        private final QueueFactory jono;
        private final List<MessageQueue<String>> queues = new ArrayList<>();
        private final Pipeline pipeline;

        JonoPipeline(String url) {
            this.jono = QueueFactory.connect(url);
            for (int i = 0; i < 4; i++) {
                queues.add(jono.queue("stage" + i, Codec.string()));
            }
            PipelineBuilder builder = jono.pipeline("bench").concurrency(IN_FLIGHT);
            for (int i = 0; i < 3; i++) {
                builder.direct(queues.get(i), queues.get(i + 1), (payload, message) -> Outcome.next());
            }
            this.pipeline = builder.start();
        }

        void run(NumberedMessages messages) throws Exception {
            AtomicInteger next = new AtomicInteger();
            CompletableFuture<Void> pushed = CompletableFuture.runAsync(() -> {
                try {
                    Callers.inFlight(
                            IN_FLIGHT,
                            messages.count(),
                            () -> queues.get(0).pushAsync(messages.payloads.get(next.getAndIncrement())));
                } catch (Exception failure) {
                    throw new IllegalStateException(failure);
                }
            });
            Callers.inFlight(
                    IN_FLIGHT,
                    messages.count(),
                    () -> queues.get(3)
                            .popAsync(WAIT)
                            .thenAccept(
                                    got -> messages.arrived(got.orElseThrow().payload())));
            pushed.get();
        }

        @Override
        public void close() throws IOException {
            pipeline.close();
            jono.close();
        }
    }
}
