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
 * A service that accepts orders and ships them later: an HTTP server and a worker in one process, with a queue between
 * them.
 *
 * <pre>
 * POST /orders        {"item":"skates","quantity":2}   202, once the order is stored
 * GET  /orders/{id}   the state of the order
 * GET  /status        the queue's counts and the worker's status
 * </pre>
 *
 * At SIGTERM the service stops the HTTP server, then the worker, then the connection. The worker gives back orders that
 * are not started, and waits some seconds for the others. Then it interrupts their handlers and gives these orders back
 * too, uncounted. This process or the next one ships every accepted order.
 */
public final class OrderService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OrderService.class);

    private final Settings settings;
    private final QueueFactory jono;
    private final Worker worker;
    private final ExecutorService requests = Executors.newFixedThreadPool(4);
    private final HttpServer server;

    /**
     * The settings of the service.
     *
     * @param queues URL of the storage, such as {@code sqlite:/var/lib/shop/queues.db}
     * @param carrier URL of the carrier
     * @param port the port of the HTTP server; 0 for any free one
     * @param grace how long running handlers may take when the service stops
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
                        .history(Duration.ofDays(1)) // shipped orders stay visible for a day
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
        // Opens the port first, so that a second service on the same port does not start to ship orders.
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

    /** The address of the HTTP server. */
    public URI address() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    /** Stops the service. */
    @Override
    public void close() {
        server.stop(1); // running requests get a second
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
        // Jono installs no shutdown hook: the application decides what to stop first.
        Runtime.getRuntime().addShutdownHook(new Thread(service::close, "shutdown"));
        LOG.info("listening on {}", service.address());
    }
}
