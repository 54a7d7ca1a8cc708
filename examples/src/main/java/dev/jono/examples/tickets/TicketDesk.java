package dev.jono.examples.tickets;

import dev.jono.DeadLetter;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.RemoveOutcome;
import dev.jono.Worker;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds seats for a time: a customer who puts a seat into the basket must buy it before the hold ends. Any number of
 * processes on any hosts can take part if they use the same Redis. A process waits for the next hold to end, and does
 * not poll. With {@code jono-redis} on the class path, signals, counters and the pause use the same connection.
 */
public final class TicketDesk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TicketDesk.class);

    private final QueueFactory jono;
    private final MessageQueue<Hold> holds;
    private final Duration patience;

    /**
     * Connects a desk.
     *
     * @param redis such as {@code redis://localhost:6379}, {@code redis-sentinel://host:26379/0#main}, or several hosts
     *     of a Cluster
     * @param patience how long a seat is held
     */
    public TicketDesk(String redis, Duration patience) {
        this.jono = QueueFactory.connect("redis-oq:" + redis);
        // On a Cluster the braces put the dead letters into the slot of the queue, so that a move is one step.
        this.holds = jono.queue(
                "holds",
                Hold.class,
                QueueOptions.builder()
                        .deadLetter(DeadLetter.after(5).queue("{holds}dead"))
                        .build());
        this.patience = patience;
    }

    /** Holds a seat, and returns a ticket that can end the hold. */
    public String hold(String seat, String customer) {
        PushResult stored = holds.push(new Hold(seat, customer), PushOptions.delay(patience));
        return stored.id();
    }

    /** Ends a hold because the customer has paid. Returns false if the hold had ended before. */
    public boolean sold(String ticket) {
        return holds.remove(ticket) == RemoveOutcome.REMOVED;
    }

    /** Starts to free seats whose hold has ended, in this process too. Stop the worker before you close the desk. */
    public Worker start(Consumer<Hold> free) {
        return jono.worker()
                .name("tickets")
                .concurrency(4)
                .from(holds, (hold, delivery) -> free.accept(hold))
                .start();
    }

    /** Stops freeing seats in all processes until {@link #resume}, for example while the seating plan is changed. */
    public void pause() {
        holds.pause();
    }

    /** Ends {@link #pause}. */
    public void resume() {
        holds.resume();
    }

    /** The number of held seats. */
    public long held() {
        return holds.totalSize();
    }

    @Override
    public void close() {
        jono.close();
    }

    /** Arguments: {@code REDIS_URI run}, {@code REDIS_URI hold SEAT CUSTOMER}, {@code REDIS_URI sold TICKET}. */
    public static void main(String[] args) throws InterruptedException {
        String command = args.length < 2 ? "" : args[1].toLowerCase(Locale.ROOT);
        boolean known = command.equals("run")
                || (command.equals("hold") && args.length == 4)
                || (command.equals("sold") && args.length == 3);
        if (!known) {
            throw new IllegalArgumentException("expected: REDIS_URI run | hold SEAT CUSTOMER | sold TICKET");
        }
        TicketDesk desk = new TicketDesk(args[0], Duration.ofMinutes(10));
        if (command.equals("run")) {
            runUntilStopped(desk);
        }
        try (desk) {
            if (command.equals("hold")) {
                LOG.info("held, ticket {}", desk.hold(args[2], args[3]));
            } else {
                LOG.info("{}", desk.sold(args[2]) ? "sold" : "too late: it is free again");
            }
        }
    }

    /** Never returns: the signal that ends the JVM runs the shutdown hook. */
    private static void runUntilStopped(TicketDesk desk) throws InterruptedException {
        Worker worker = desk.start(hold -> LOG.info("seat {} is free again", hold.seat()));
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            worker.stop(Duration.ofSeconds(20));
                            desk.close();
                        },
                        "shutdown"));
        new CountDownLatch(1).await(); // Jono's threads are daemon threads
    }
}
