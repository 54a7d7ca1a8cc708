package dev.jono.pipeline;

import dev.jono.Backoff;
import dev.jono.MessageQueue;
import dev.jono.Worker;
import dev.jono.WorkerBuilder;
import dev.jono.internal.PipelineMoves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Sets up a {@link Pipeline}: links between queues, each with a processor and a worker. Not thread-safe.
 *
 * <pre>{@code
 * MessageQueue<String> in = jono.queue("lines", String.class);
 * MessageQueue<String> out = jono.queue("words", String.class);
 * Pipeline pipeline = jono.pipeline("split")
 *         .concurrency(4)
 *         .direct(in, out, (line, message) -> Outcome.next().payload(line.strip()))
 *         .sink(out, (word, message) -> {
 *             System.out.println(word);
 *             return Outcome.drop();
 *         })
 *         .start();
 * }</pre>
 *
 * <p>All queues of a pipeline come from one factory. Where the backend moves messages atomically between two queues, a link
 * is atomic. Elsewhere the message is stored in the target under its id before it is removed from the source, so that a
 * crash in between leaves it in both.
 */
public final class PipelineBuilder {
    private final String name;
    private final Supplier<WorkerBuilder> workers;
    private final List<Link> links = new ArrayList<>();
    private final List<WorkerBuilder> stages = new ArrayList<>();
    private int concurrency = 1;
    private Duration maxRuntime = Duration.ofHours(1);
    private Backoff backoff = Backoff.exponential(Duration.ofSeconds(1), 2, Duration.ofMinutes(10), 0);

    /** For the factory. */
    public PipelineBuilder(String name, Supplier<WorkerBuilder> workers) {
        this.name = name;
        this.workers = workers;
    }

    /** The maximum number of messages that each link added after this call works on at the same time. Default 1. */
    public PipelineBuilder concurrency(int messages) {
        if (messages < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1: " + messages);
        }
        this.concurrency = messages;
        return this;
    }

    /** How long a processor of the links added after this call may run. Default 1 h. */
    public PipelineBuilder maxRuntime(Duration value) {
        this.maxRuntime = Objects.requireNonNull(value, "maxRuntime");
        return this;
    }

    /**
     * The delay of retries in the links added after this call, whether the processor fails or the move of its message.
     * Default 1 s, doubled each time, up to 10 min.
     */
    public PipelineBuilder retryDelay(Backoff value) {
        this.backoff = Objects.requireNonNull(value, "retryDelay");
        return this;
    }

    /** Adds a link with one target. */
    public <T> PipelineBuilder direct(MessageQueue<T> source, MessageQueue<?> target, Processor<T> processor) {
        return add(source, new DirectLink(source, target), processor);
    }

    /**
     * Adds a link with several targets.
     *
     * @throws IllegalArgumentException if the list is empty
     */
    public <T> PipelineBuilder choice(
            MessageQueue<T> source, List<? extends MessageQueue<?>> targets, Processor<T> processor) {
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("a choice of queue '" + source.name() + "' needs at least one target");
        }
        return add(source, new ChoiceLink(source, targets), processor);
    }

    /** Adds a link without a target. */
    public <T> PipelineBuilder sink(MessageQueue<T> source, Processor<T> processor) {
        return add(source, new Sink(source), processor);
    }

    private <T> PipelineBuilder add(MessageQueue<T> source, Link link, Processor<T> processor) {
        Objects.requireNonNull(processor, "processor");
        Stage<T> stage = new Stage<>(link, processor, backoff, PipelineMoves.between(source, link.targets()));
        stages.add(workers.get()
                .name(name + ":" + link.name())
                .concurrency(concurrency)
                .maxRuntime(maxRuntime)
                .from(source, stage));
        links.add(link);
        return this;
    }

    /**
     * Starts all links.
     *
     * @throws IllegalStateException if there is none
     */
    public Pipeline start() {
        if (links.isEmpty()) {
            throw new IllegalStateException("pipeline '" + name + "' has no link");
        }
        List<Worker> started = new ArrayList<>();
        try {
            stages.forEach(stage -> started.add(stage.start()));
        } catch (RuntimeException | Error failure) {
            started.forEach(Worker::close); // no caller knows them
            throw failure;
        }
        return new RunningPipeline(name, links, started);
    }
}
