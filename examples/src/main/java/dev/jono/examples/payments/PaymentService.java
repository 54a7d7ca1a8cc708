package dev.jono.examples.payments;

import dev.jono.Backoff;
import dev.jono.DeadLetter;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueCounts;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Worker;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Books payments. The payments of one account are booked one at a time and in the order in which they were submitted,
 * over all processes that use the same storage. Accounts do not wait for each other.
 *
 * <p>If a payment fails, it is retried until it is booked, and the later payments of its account wait. A withdrawal is
 * therefore never booked before the deposit that was submitted before it.
 *
 * <p>A payment that is submitted twice is stored once.
 */
public final class PaymentService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PaymentService.class);

    /** A sender repeats a payment within this time. */
    private static final Duration REPEATED_WITHIN = Duration.ofDays(1);

    private final QueueFactory jono;
    private final MessageQueue<Payment> payments;

    /**
     * Connects a service.
     *
     * @param storage URL of the storage, such as {@code sqlite:/var/lib/payments.db}
     * @param backoff the delay between two tries
     */
    public PaymentService(String storage, Backoff backoff) {
        this.jono = QueueFactory.connect(storage);
        this.payments = jono.queue(
                "payments",
                Payment.class,
                QueueOptions.builder()
                        .keyed()
                        .backoff(backoff)
                        // A dead letter frees its key, and the next payment of the account would be booked without it.
                        .deadLetter(DeadLetter.never())
                        .build());
    }

    /** Stores a payment. Returns false if a payment with this id was submitted within the last day. */
    public boolean submit(Payment payment) {
        PushOptions options = PushOptions.none().key(payment.account()).unique(payment.id(), REPEATED_WITHIN);
        return !payments.push(payment, options).duplicate();
    }

    /** Starts to book payments, up to this many at once. Stop the worker before you close the service. */
    public Worker start(int concurrency, Ledger ledger) {
        return jono.worker()
                .name("payments")
                .concurrency(concurrency)
                .maxRuntime(Duration.ofMinutes(1))
                .from(payments, (payment, delivery) -> ledger.book(payment))
                .start();
    }

    /** The numbers of payments that are not booked; those that wait for an earlier one of their account are blocked. */
    public QueueCounts counts() {
        return payments.counts();
    }

    @Override
    public void close() {
        jono.close();
    }

    /** Arguments: {@code STORAGE_URL run}, or {@code STORAGE_URL pay ID ACCOUNT CENTS}. */
    public static void main(String[] args) throws InterruptedException {
        String command = args.length < 2 ? "" : args[1].toLowerCase(Locale.ROOT);
        if (!command.equals("run") && !(command.equals("pay") && args.length == 5)) {
            throw new IllegalArgumentException("expected: STORAGE_URL run | pay ID ACCOUNT CENTS");
        }
        PaymentService service = new PaymentService(args[0], Backoff.standard());
        if (command.equals("run")) {
            runUntilStopped(service);
        }
        try (service) {
            boolean stored = service.submit(new Payment(args[2], args[3], Long.parseLong(args[4])));
            LOG.info("{}; {}", stored ? "stored" : "submitted before", service.counts());
        }
    }

    /** Never returns: the signal that ends the JVM runs the shutdown hook. */
    private static void runUntilStopped(PaymentService service) throws InterruptedException {
        Worker worker = service.start(16, payment -> LOG.info("booked {}", payment));
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            worker.stop(Duration.ofSeconds(20));
                            service.close();
                        },
                        "shutdown"));
        new CountDownLatch(1).await(); // Jono's threads are daemon threads
    }
}
