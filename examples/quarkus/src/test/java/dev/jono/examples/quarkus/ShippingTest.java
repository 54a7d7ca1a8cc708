package dev.jono.examples.quarkus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.component.QuarkusComponentTest;
import io.quarkus.test.component.TestConfigProperty;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Runs the beans in Quarkus's container, which has no application that starts and ends: the test fires its events. */
@QuarkusComponentTest({Queues.class, Shop.class, Shipping.class, Carrier.class})
@TestConfigProperty(key = "jono.url", value = "memory:quarkus-example")
class ShippingTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @Inject
    Shop shop;

    @Inject
    MessageQueue<Order> orders;

    @Inject
    QueueFactory jono;

    @Inject
    Carrier carrier;

    @Inject
    Event<StartupEvent> startup;

    @Inject
    Event<ShutdownEvent> shutdown;

    @Test
    void ordersAreShippedWhileTheApplicationRuns() {
        startup.fire(new StartupEvent());
        shop.buy(new Order(1, "skates"));
        await().atMost(SOON).until(() -> carrier.shipped().contains(new Order(1, "skates")));
        shutdown.fire(new ShutdownEvent());
        assertThat(jono.workers()).isEmpty();
        shop.buy(new Order(2, "stick"));
        assertThat(orders.size()).isOne();
    }
}
