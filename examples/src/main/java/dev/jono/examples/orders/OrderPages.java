package dev.jono.examples.orders;

import com.sun.net.httpserver.HttpExchange;
import dev.jono.BrowsedMessage;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.JonoException;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueCounts;
import dev.jono.Worker;
import dev.jono.WorkerStatus;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pages of the service. Runs on the threads of the HTTP server. */
final class OrderPages {
    private static final Logger LOG = LoggerFactory.getLogger(OrderPages.class);
    private static final int LOOK_BACK = 1000;

    private final MessageQueue<Order> orders;
    private final MessageQueue<EncodedPayload> deadLetters;
    private final Worker worker;
    private final Codec<Order> orderCodec = Codec.json(Order.class);

    @SuppressWarnings("rawtypes") // Map stands for a JSON object of any shape
    private final Codec<Map> pageCodec = Codec.json(Map.class);

    OrderPages(MessageQueue<Order> orders, MessageQueue<EncodedPayload> deadLetters, Worker worker) {
        this.orders = orders;
        this.deadLetters = deadLetters;
        this.worker = worker;
    }

    void orders(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String id = path.startsWith("/orders/") ? path.substring("/orders/".length()) : "";
        try {
            if (exchange.getRequestMethod().equals("POST") && path.equals("/orders")) {
                take(exchange);
            } else if (exchange.getRequestMethod().equals("GET") && !id.isEmpty()) {
                show(exchange, id);
            } else {
                answer(exchange, 404, Map.of("error", "no such page"));
            }
        } catch (JonoException failure) {
            // The order was not accepted, so the client may try again.
            LOG.warn("{} {} failed", exchange.getRequestMethod(), path, failure);
            answer(exchange, 503, Map.of("error", "the order could not be stored or looked up"));
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        Order order;
        try {
            byte[] body = exchange.getRequestBody().readAllBytes();
            order = orderCodec.decode(EncodedPayload.of(PayloadKind.JSON, body), Headers.empty());
        } catch (Exception failure) {
            answer(exchange, 400, Map.of("error", "not an order: " + failure.getMessage()));
            return;
        }
        // The order is accepted when push returns, because then it is stored.
        String id = orders.push(order).id();
        answer(exchange, 202, Map.of("id", id));
    }

    private void show(HttpExchange exchange, String id) throws IOException {
        Optional<BrowsedMessage<Order>> waiting = orders.get(id);
        if (waiting.isPresent()) {
            BrowsedMessage<Order> order = waiting.get();
            String state = order.state().name().toLowerCase(Locale.ROOT);
            answer(exchange, 200, Map.of("id", id, "state", state, "tries", order.tries()));
        } else if (orders.history(LOOK_BACK).stream().anyMatch(done -> done.id().equals(id))) {
            answer(exchange, 200, Map.of("id", id, "state", "shipped"));
        } else if (deadLetters.get(id).isPresent()) {
            answer(exchange, 200, Map.of("id", id, "state", "given up"));
        } else {
            answer(exchange, 404, Map.of("error", "unknown, or shipped long ago"));
        }
    }

    void status(HttpExchange exchange) throws IOException {
        QueueCounts counts = orders.counts();
        WorkerStatus status = worker.status();
        answer(
                exchange,
                200,
                Map.of(
                        "ready", counts.ready(),
                        "scheduled", counts.scheduled(),
                        "reserved", counts.reserved(),
                        "worker", status.state().name().toLowerCase(Locale.ROOT),
                        "running", status.running(),
                        "overtime", status.overtime(),
                        "succeeded", status.succeeded(),
                        "failed", status.failed()));
    }

    private void answer(HttpExchange exchange, int code, Map<String, ?> page) throws IOException {
        byte[] body;
        try {
            body = pageCodec.encode(page, Headers.empty()).bytes();
        } catch (Exception failure) {
            throw new IOException("the page could not be written", failure);
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
