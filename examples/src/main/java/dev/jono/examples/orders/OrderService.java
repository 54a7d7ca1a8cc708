package dev.jono.examples.orders;

import com.sun.net.httpserver.HttpServer;
import dev.jono.DeadLetter;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Worker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A service that takes orders and ships them later: an HTTP server and a worker in one process, a queue between them.
 *
 * <pre>
 * POST /orders        {"item":"skates","quantity":2}   202, once the order is stored
 * GET  /orders/{id}   what became of it
 * GET  /status        the queue's counts and what the worker does
 * </pre>
 *
 * At SIGTERM it stops in this order: no new orders, then the worker (orders that are not started go back at once, those
 * under way get some seconds, and what is still not done then goes back too, uncounted), then the connection. An order
 * that was accepted is shipped by this process or by the next one.
 */
public final class OrderService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OrderService.class);

    private final Settings settings;
    private final QueueFactory jono;
    private final Worker worker;
    private final ExecutorService requests = Executors.newFixedThreadPool(4);
    private final HttpServer server;

    /**
     * What the service needs to know.
     *
     * @param queues URL of the storage, such as {@code sqlite:/var/lib/shop/queues.db}
     * @param carrier where orders are shipped
     * @param port where to listen; 0 for any free one
     * @param grace how long orders under way may take when the service stops
     */
    public record Settings(String queues, URI carrier, int port, Duration grace) {}

    private OrderService(Settings settings, HttpServer server, QueueFactory jono) {
        this.settings = settings;
        this.server = server;
        this.jono = jono;
        MessageQueue<Order> orders = jono.queue(
                "orders",
                Order.class,
                QueueOptions.builder()
                        .deadLetter(DeadLetter.after(8))
                        .history(Duration.ofDays(1)) // what was shipped stays visible for a day
                        .build());
        this.worker = jono.worker()
                .name("shipping")
                .concurrency(4)
                .maxRuntime(Duration.ofMinutes(2))
                .from(orders, new Carrier(settings.carrier())::ship)
                .start();
        OrderPages pages = new OrderPages(orders, jono.deadLetters(), worker);
        server.createContext("/orders", pages::orders);
        server.createContext("/status", pages::status);
        server.setExecutor(requests);
        server.start();
    }

    /** Starts the service. */
    public static OrderService start(Settings settings) throws IOException {
        // First the port, then the queues: a second service on the same port must not begin to ship.
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.port()), 0);
        QueueFactory jono = null;
        try {
            jono = QueueFactory.connect(settings.queues());
            return new OrderService(settings, server, jono);
        } catch (RuntimeException failure) {
            server.stop(0);
            if (jono != null) {
                jono.close();
            }
            throw failure;
        }
    }

    /** Where it listens. */
    public URI address() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    /** Stops it. */
    @Override
    public void close() {
        server.stop(1); // requests under way get a second
        requests.shutdown();
        boolean clean = worker.stop(settings.grace());
        jono.close();
        LOG.info(
                "stopped: {}, {}",
                worker.status(),
                clean ? "all handlers ended by themselves" : "some were interrupted");
    }

    /** Arguments: the storage's URL, the carrier's URL, the port, and how many seconds a stop may take. */
    public static void main(String[] args) throws IOException {
        if (args.length != 4) {
            throw new IllegalArgumentException("expected: STORAGE_URL CARRIER_URL PORT GRACE_SECONDS");
        }
        OrderService service = start(new Settings(
                args[0], URI.create(args[1]), Integer.parseInt(args[2]), Duration.ofSeconds(Long.parseLong(args[3]))));
        // Jono installs no hook of its own: what to stop first is the application's to say.
        Runtime.getRuntime().addShutdownHook(new Thread(service::close, "shutdown"));
        LOG.info("listening on {}", service.address());
    }
}
