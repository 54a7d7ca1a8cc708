package dev.jono.examples.orders;

import dev.jono.Codec;
import dev.jono.Headers;
import dev.jono.RejectException;
import dev.jono.Reservation;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The client of the carrier's HTTP service, which is sometimes slow or down. */
final class Carrier {
    private final URI address;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final Codec<Order> codec = Codec.json(Order.class);

    Carrier(URI address) {
        this.address = address;
    }

    /**
     * Handles one order. A return acks the message, an exception retries it after a growing delay.
     *
     * <p>The request contains the message's id. Delivery is at least once: after a crash between the carrier's answer
     * and the ack, the carrier gets the order again, and recognizes it by the id.
     */
    void ship(Order order, Reservation<Order> delivery) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", delivery.id())
                .timeout(Duration.ofMinutes(1))
                .POST(BodyPublishers.ofByteArray(
                        codec.encode(order, Headers.empty()).bytes()))
                .build();
        // An interrupt means that the service stops: the worker then gives the order back, uncounted.
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() == 422) {
            throw new RejectException("the carrier refused: " + response.body());
        }
        if (response.statusCode() / 100 != 2) {
            throw new IllegalStateException("the carrier answered " + response.statusCode());
        }
    }
}
