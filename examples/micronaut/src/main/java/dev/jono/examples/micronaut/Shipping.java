package dev.jono.examples.micronaut;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Worker;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.runtime.event.annotation.EventListener;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Handles orders while the application runs. */
@Singleton
public class Shipping {
    private final QueueFactory jono;
    private final MessageQueue<Order> orders;
    private final Carrier carrier;
    private @Nullable Worker worker;

    Shipping(QueueFactory jono, MessageQueue<Order> orders, Carrier carrier) {
        this.jono = jono;
        this.orders = orders;
        this.carrier = carrier;
    }

    @EventListener
    void start(StartupEvent started) {
        worker = jono.worker()
                .concurrency(8)
                .from(orders, (order, delivery) -> carrier.ship(order)) // return = ack, throw = retry
                .start();
    }

    @EventListener
    void stop(ShutdownEvent ending) {
        if (worker != null) {
            worker.stop(Duration.ofSeconds(25));
        }
    }
}
