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
 * Delivers webhooks. A failed webhook is retried with a growing delay. After a number of deliveries it becomes a dead
 * letter, which can be redriven when the receiver works again.
 *
 * <p>The status of the response decides:
 *
 * <ul>
 *   <li>2xx: delivered.
 *   <li>408, 429 and 5xx, or no response: retried, after the time in {@code Retry-After} if the response has one.
 *   <li>Anything else: it will never succeed, so it becomes a dead letter at once.
 * </ul>
 *
 * The header {@code Webhook-Id} contains the message's id. It is the same for each try, so that the receiver recognizes
 * a repetition.
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
     * Connects a dispatcher.
     *
     * @param storage URL of the storage, such as {@code sqlite:/var/lib/webhooks.db}
     * @param deliveries the number of tries per webhook
     * @param backoff the delay between two tries
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

    /** Stores a webhook, and returns its id. This process or another one on the same storage sends it. */
    public String send(Webhook webhook) {
        return webhooks.push(webhook).id();
    }

    /** Starts to deliver. Stop the worker before you close the dispatcher. */
    public Worker start(int concurrency) {
        return jono.worker()
                .name("webhooks")
                .concurrency(concurrency)
                .maxRuntime(Duration.ofMinutes(1))
                .from(webhooks, this::deliver)
                .start();
    }

    /** The number of webhooks that wait for their first try or for a retry. */
    public long waiting() {
        return webhooks.totalSize();
    }

    /** The number of dead letters. */
    public MessageQueue<Webhook> dead() {
        return dead;
    }

    /** Sends dead letters back, to be tried like new webhooks. Returns how many. */
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
            delivery.retry(retryAfter.get()); // settled here, so the return does not ack
            return;
        }
        throw new IllegalStateException(answer);
    }

    /** The delay in {@code Retry-After}, if it is given in seconds. For a date the backoff applies. */
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

    /** Never returns: the signal that ends the JVM runs the shutdown hook. */
    private static void runUntilStopped(WebhookDispatcher dispatcher) throws InterruptedException {
        Worker worker = dispatcher.start(8);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            worker.stop(Duration.ofSeconds(20));
                            dispatcher.close();
                        },
                        "shutdown"));
        new CountDownLatch(1).await(); // Jono's threads are daemon threads
    }
}
