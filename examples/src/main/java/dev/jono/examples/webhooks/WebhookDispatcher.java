package dev.jono.examples.webhooks;

import dev.jono.Backoff;
import dev.jono.DeadLetter;
import dev.jono.Durations;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.RejectException;
import dev.jono.Reservation;
import dev.jono.Worker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers webhooks: each is tried again with growing delay, and put aside after a number of deliveries, from where it
 * can be sent back when the receiver is well again.
 *
 * <p>What the receiver's answer means:
 *
 * <ul>
 *   <li>2xx: delivered.
 *   <li>408, 429 and 5xx, or no answer: tried again, after the time in {@code Retry-After} if the answer has one.
 *   <li>Anything else: it will never succeed, so it is put aside at once.
 * </ul>
 *
 * The receiver gets the message's id in {@code Webhook-Id}: the same for each try, so that it can tell a repetition.
 */
public final class WebhookDispatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookDispatcher.class);
    private static final String DEAD = "webhooks-dead";

    private final QueueFactory jono;
    private final MessageQueue<Webhook> webhooks;
    private final MessageQueue<Webhook> dead;
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(5))
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /**
     * A dispatcher.
     *
     * @param storage URL of the storage, such as {@code sqlite:/var/lib/webhooks.db}
     * @param deliveries how often a webhook is tried
     * @param backoff how long it stays away between two tries
     */
    public WebhookDispatcher(String storage, int deliveries, Backoff backoff) {
        this.jono = QueueFactory.connect(storage);
        QueueOptions options = QueueOptions.builder()
                .deadLetter(DeadLetter.after(deliveries).queue(DEAD))
                .backoff(backoff)
                .build();
        this.webhooks = jono.queue("webhooks", Webhook.class, options);
        this.dead = jono.queue(DEAD, Webhook.class, options);
    }

    /** Stores a webhook; returns its id. It will be sent, by this process or by another on the same storage. */
    public String send(Webhook webhook) {
        return webhooks.push(webhook).id();
    }

    /** Begins to deliver; the worker is to be stopped before the dispatcher is closed. */
    public Worker start(int concurrency) {
        return jono.worker()
                .name("webhooks")
                .concurrency(concurrency)
                .maxRuntime(Duration.ofMinutes(1))
                .from(webhooks, this::deliver)
                .start();
    }

    /** Webhooks that wait to be delivered or to be tried again. */
    public long waiting() {
        return webhooks.totalSize();
    }

    /** Those that were put aside. */
    public MessageQueue<Webhook> dead() {
        return dead;
    }

    /** Sends those that were put aside back, to be tried as if they were new; returns how many. */
    public long redrive() {
        return dead.redrive();
    }

    private void deliver(Webhook webhook, Reservation<Webhook> delivery) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(webhook.url())
                .header("Content-Type", "application/json")
                .header("Webhook-Id", delivery.id())
                .header("Webhook-Attempt", Integer.toString(delivery.attempt()))
                .timeout(Duration.ofSeconds(30))
                .POST(BodyPublishers.ofString(webhook.body()))
                .build();
        HttpResponse<Void> response = http.send(request, BodyHandlers.discarding());
        int status = response.statusCode();
        if (status / 100 == 2) {
            return;
        }
        String answer = webhook.url() + " answered " + status;
        if (status != 408 && status != 429 && status / 100 != 5) {
            throw new RejectException(answer);
        }
        Optional<Duration> retryAfter = retryAfter(response);
        if (retryAfter.isPresent()) {
            LOG.info("{}, to be tried again in {}", answer, retryAfter.get());
            delivery.retry(retryAfter.get()); // settled here: the return is no ack then
            return;
        }
        throw new IllegalStateException(answer);
    }

    /** The seconds that the receiver asks for; its other form, a date, is left to the backoff. */
    private static Optional<Duration> retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(text -> text.matches("[0-9]{1,5}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }

    @Override
    public void close() {
        jono.close();
    }

    /**
     * Arguments: {@code STORAGE_URL run}, {@code STORAGE_URL send RECEIVER_URL BODY}, or {@code STORAGE_URL redrive}.
     */
    public static void main(String[] args) throws InterruptedException {
        String command = args.length < 2 ? "" : args[1].toLowerCase(Locale.ROOT);
        if (!command.equals("run") && !command.equals("redrive") && !(command.equals("send") && args.length == 4)) {
            throw new IllegalArgumentException("expected: STORAGE_URL run | send RECEIVER_URL BODY | redrive");
        }
        WebhookDispatcher dispatcher = new WebhookDispatcher(
                args[0], 12, Backoff.exponential(Durations.parse("2s"), 3, Durations.parse("4h"), 0.2));
        if (command.equals("run")) {
            runUntilStopped(dispatcher);
        }
        try (dispatcher) {
            if (command.equals("send")) {
                LOG.info("stored {}", dispatcher.send(new Webhook(URI.create(args[2]), args[3])));
            } else {
                LOG.info("sent {} back", dispatcher.redrive());
            }
        }
    }

    /** Returns never: the signal that ends the JVM runs the hook. */
    private static void runUntilStopped(WebhookDispatcher dispatcher) throws InterruptedException {
        Worker worker = dispatcher.start(8);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            worker.stop(Duration.ofSeconds(20));
                            dispatcher.close();
                        },
                        "shutdown"));
        new CountDownLatch(1).await(); // Jono's own threads keep no JVM alive
    }
}
