package dev.jono.examples.mails;

import dev.jono.Backoff;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobRun;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.UniqueMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the mails of a web shop.
 *
 * <ul>
 *   <li>The shop may ask for the same mail several times, for example when a customer reloads a page: it is sent once in a day.
 *   <li>The mails to one customer arrive in the order in which the shop asked for them.
 *   <li>The provider accepts a number of mails a second, whatever the number of processes that send.
 * </ul>
 */
public final class ShopMails implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShopMails.class);

    private final QueueFactory jono;
    private final Jobs jobs;
    private final JobType<Mail, Void> mails;

    /**
     * Connects to the storage.
     *
     * @param storage URL of the storage, such as {@code sqlite:/var/lib/mails.db}
     * @param perSecond how many mails the provider accepts in a second
     * @param backoff the delay between two attempts
     */
    public ShopMails(String storage, int perSecond, Backoff backoff) {
        this.jono = QueueFactory.connect(storage);
        this.jobs = Jobs.on(jono);
        this.mails = JobType.of("mail", Mail.class)
                .unique(mail -> mail.order() + ' ' + mail.template(), UniqueMode.within(Duration.ofDays(1)))
                .key(Mail::to)
                .rate(perSecond, Duration.ofSeconds(1))
                .maxAttempts(10)
                .backoff(backoff);
    }

    /** Asks for a mail. Returns false if the shop has asked for it before. */
    public boolean request(Mail mail) {
        JobHandle<Void> job = jobs.enqueue(mails, mail);
        return !job.duplicate();
    }

    /** Starts to send mails, up to this many at once. Closing this object stops it, too. */
    public JobRunner start(int concurrency, MailServer server) {
        return jobs.runner()
                .concurrency(concurrency)
                .handle(mails, (mail, run) -> send(mail, run, server))
                .start();
    }

    private static Void send(Mail mail, JobRun run, MailServer server) throws Exception {
        try {
            server.send(mail);
            return null;
        } catch (MailServer.RefusedAddressException hopeless) {
            // The later mails to this address must not wait for ten attempts.
            throw run.fail(String.valueOf(hopeless.getMessage()));
        }
    }

    @Override
    public void close() {
        jono.close();
    }

    /** Arguments: {@code STORAGE_URL run}, or {@code STORAGE_URL request TO ORDER TEMPLATE}. */
    public static void main(String[] args) throws InterruptedException {
        List<String> words = List.of(args);
        boolean runs =
                words.size() == 2 && words.get(1).toLowerCase(Locale.ROOT).equals("run");
        if (!runs && (words.size() != 5 || !words.get(1).equals("request"))) {
            throw new IllegalArgumentException("expected: STORAGE_URL run | request TO ORDER TEMPLATE");
        }
        ShopMails shop = new ShopMails(words.get(0), 10, Backoff.standard());
        if (runs) {
            runUntilStopped(shop);
        }
        try (shop) {
            boolean isNew = shop.request(new Mail(words.get(2), words.get(3), words.get(4)));
            LOG.info(isNew ? "requested" : "requested before");
        }
    }

    /** Never returns: the signal that ends the JVM runs the shutdown hook. */
    private static void runUntilStopped(ShopMails shop) throws InterruptedException {
        JobRunner runner = shop.start(8, mail -> LOG.info("to {}: {}", mail.to(), mail.template()));
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            runner.stop(Duration.ofSeconds(20));
                            shop.close();
                        },
                        "shutdown"));
        new CountDownLatch(1).await(); // Jono's threads are daemon threads
    }
}
