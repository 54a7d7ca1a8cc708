package dev.jono.examples.pipeline;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.pipeline.Outcome;
import dev.jono.pipeline.Pipeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parses the lines of an access log and sorts them into queues.
 *
 * <pre>{@code
 *                                            +-> errors -> (sink)
 * lines -parse-> hits -enrich-> sorted -choose-> slow   -> (sink)
 *         |               |                  +-> fine   -> (sink)
 *         |               +- country unknown for now: retry
 *         +- comment: drop; broken: reject
 * }</pre>
 *
 * Each arrow moves a message from one queue into the next. On a backend with {@code ATOMIC_MOVE} the move is one step;
 * on {@code pl-mongo} it is the update of one document. A process that dies leaves each message in exactly one queue,
 * and another process with the same pipeline continues. Any number of processes may run it, each with two workers per
 * stage. A line that fails ten times becomes a dead letter.
 */
public final class LogPipeline implements AutoCloseable {
    static final String LINES = "lines";
    static final String HITS = "hits";
    static final String SORTED = "sorted";
    static final String ERRORS = "errors";
    static final String SLOW = "slow";
    static final String FINE = "fine";

    private static final Logger LOG = LoggerFactory.getLogger(LogPipeline.class);
    private static final int SLOW_MILLIS = 1000;

    private final Countries countries;
    private final Report report;
    private final QueueFactory jono;
    private final MessageQueue<String> lines;
    private final Pipeline pipeline;

    /**
     * Starts the pipeline.
     *
     * @param storage URL of the storage, such as {@code sqlite:log.db} or
     *     {@code pl-mongo:mongodb://localhost/logs?replicaSet=rs0&jono.pipeline=access}
     * @param countries looks up the country of an address; may fail temporarily
     * @param retryDelay the delay after such a failure
     * @param report gets the result of each line
     */
    public LogPipeline(String storage, Countries countries, Backoff retryDelay, Report report) {
        this.countries = countries;
        this.report = report;
        this.jono = QueueFactory.builder(storage)
                .queueDefaults(
                        QueueOptions.builder().deadLetter(DeadLetter.after(10)).build())
                .connect();
        this.lines = jono.queue(LINES, Codec.string());
        MessageQueue<Hit> hits = jono.queue(HITS, Hit.class);
        MessageQueue<Hit> sorted = jono.queue(SORTED, Hit.class);
        MessageQueue<Hit> errors = jono.queue(ERRORS, Hit.class);
        MessageQueue<Hit> slow = jono.queue(SLOW, Hit.class);
        MessageQueue<Hit> fine = jono.queue(FINE, Hit.class);
        this.pipeline = jono.pipeline("access-log")
                .concurrency(2)
                .retryDelay(retryDelay)
                .direct(lines, hits, (line, message) -> parse(line, message.id()))
                .direct(hits, sorted, (hit, message) -> enrich(hit))
                .choice(sorted, List.of(fine, slow, errors), (hit, message) -> choose(hit))
                .sink(errors, (hit, message) -> done(ERRORS, message.id(), hit))
                .sink(slow, (hit, message) -> done(SLOW, message.id(), hit))
                .sink(fine, (hit, message) -> done(FINE, message.id(), hit))
                .start();
    }

    /** Pushes lines into the pipeline. When this returns, they are stored. */
    public void add(List<String> some) {
        if (!some.isEmpty()) {
            lines.pushAll(some);
        }
    }

    private Outcome parse(String line, String id) {
        if (line.isBlank() || line.startsWith("#")) {
            report.left("dropped", id);
            return Outcome.drop();
        }
        String[] parts = line.split(" ", -1);
        if (parts.length != 4 || !parts[2].matches("[1-5][0-9]{2}") || !parts[3].matches("[0-9]{1,9}")) {
            report.left("rejected", id);
            return Outcome.reject("not a line of the log: " + line);
        }
        Hit hit = new Hit(parts[0], parts[1], Integer.parseInt(parts[2]), Integer.parseInt(parts[3]), "");
        return Outcome.next().payload(hit);
    }

    private Outcome enrich(Hit hit) {
        // An exception would be a retry too, and become the reason of the dead letter.
        return countries
                .of(hit.address())
                .map(country -> Outcome.next().payload(hit.in(country)).header("country", country))
                .orElseGet(Outcome::retry);
    }

    private static Outcome choose(Hit hit) {
        if (hit.status() >= 500) {
            return Outcome.to(ERRORS);
        }
        return hit.millis() > SLOW_MILLIS ? Outcome.to(SLOW) : Outcome.to(FINE);
    }

    private Outcome done(String kind, String id, Hit hit) {
        LOG.debug("{}: {}", kind, hit);
        report.left(kind, id);
        return Outcome.next(); // in a sink this ends the message
    }

    /** The number of messages in all queues of the pipeline; 0 when all are done. */
    public long waiting() {
        return List.of(LINES, HITS, SORTED, ERRORS, SLOW, FINE).stream()
                .mapToLong(name -> jono.queue(name, Codec.raw()).totalSize())
                .sum();
    }

    /** The dead letters. */
    public long rejected() {
        return jono.deadLetters().totalSize();
    }

    @Override
    public void close() {
        pipeline.stop(Duration.ofSeconds(20));
        jono.close();
    }

    /** Arguments: the storage's URL and a file. Lines of the file read {@code ADDRESS PATH STATUS MILLIS}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 2) {
            throw new IllegalArgumentException("expected: STORAGE_URL FILE");
        }
        List<String> all = Files.readAllLines(Path.of(args[1]));
        Report report = new Report();
        try (LogPipeline pipeline = new LogPipeline(args[0], Countries.byHash(), Backoff.standard(), report)) {
            pipeline.add(all);
            boolean complete = report.await(all.size(), 1, TimeUnit.HOURS);
            LOG.info("{} lines, {}: {}", all.size(), complete ? "all done" : "not all done", report.counts());
        }
    }
}
