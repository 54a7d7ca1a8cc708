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

/** Messages through the three links of a pipeline in one collection, pushed at its beginning and popped at its end. */
final class MongoPipeline {
    private static final int IN_FLIGHT = 64;
    private static final int WARM_UP_ROUNDS = 3;
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String TYPE = "pl-mongo";

    private MongoPipeline() {}

    static Row measure(int rounds, int ours, int theirs) throws Exception {
        NumberedMessages our = new NumberedMessages(ours);
        NumberedMessages their = new NumberedMessages(theirs);
        try (MongoTestbed bench = new MongoTestbed();
                Stages jono = new Stages(bench.url(TYPE, "jono"));
                KeussProcess keuss = new KeussProcess(bench.uri("keuss"), TYPE, "keuss", IN_FLIGHT)) {
            Interleaved.warmUp(WARM_UP_ROUNDS, turn(our, new MongoLoad(bench), () -> jono.run(our), () -> {}));
            MongoLoad load = new MongoLoad(bench);
            MongoLoad other = new MongoLoad(bench);
            Interleaved.Comparison result = Interleaved.rates(
                    rounds,
                    turn(our, load, () -> jono.run(our), () -> {}),
                    turn(
                            their,
                            other,
                            () -> keuss.passed(their),
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

    /** A part of a round. */
    private interface Part {
        void run() throws Exception;
    }

    private static Interleaved.Round turn(NumberedMessages messages, MongoLoad load, Part work, Part preparation) {
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

    /** Jono's pipeline. */
    private static final class Stages implements AutoCloseable {
        private final QueueFactory jono;
        private final List<MessageQueue<String>> queues = new ArrayList<>();
        private final Pipeline pipeline;

        Stages(String url) {
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
