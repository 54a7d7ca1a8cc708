package dev.jono.examples.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Starts an application context of Micronaut, and closes it. */
class ShippingTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String URL = "memory:micronaut-example";

    @Test
    void ordersAreShippedWhileTheApplicationRuns() {
        try (QueueFactory outside = QueueFactory.connect(URL)) {
            try (ApplicationContext context = ApplicationContext.run(Map.of("jono.url", URL))) {
                context.getBean(Shop.class).buy(new Order(1, "skates"));
                Carrier carrier = context.getBean(Carrier.class);
                await().atMost(SOON).until(() -> carrier.shipped().contains(new Order(1, "skates")));
            }
            MessageQueue<Order> orders = outside.queue("orders", Order.class);
            orders.push(new Order(2, "stick"));
            assertThat(orders.size()).isOne();
        }
    }
}
