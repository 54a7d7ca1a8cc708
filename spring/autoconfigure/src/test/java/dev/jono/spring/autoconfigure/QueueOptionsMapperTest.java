package dev.jono.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Backoff;
import dev.jono.DeadLetter;
import dev.jono.QueueOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** A property of one queue overrides that property of all queues, and no other. */
class QueueOptionsMapperTest {
    private static QueueOptions orders(Map<String, String> properties) {
        JonoProperties bound =
                new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("jono", JonoProperties.class);
        return QueueOptionsMapper.options(
                "jono.queues.orders", Objects.requireNonNull(bound.queues().get("orders")), bound.queue());
    }

    private static DeadLetter deadLetterOfOrders(Map<String, String> properties) {
        return Objects.requireNonNull(orders(properties).deadLetter());
    }

    private static Backoff backoffOfOrders(Map<String, String> properties) {
        return Objects.requireNonNull(orders(properties).backoff());
    }

    @Test
    void theDeadLetterQueueKeepsTheNumberOfDeliveriesOfAllQueues() {
        DeadLetter rule = deadLetterOfOrders(
                Map.of("jono.queue.max-deliveries", "3", "jono.queues.orders.dead-letter-queue", "bad"));
        assertThat(rule.maxDeliveries()).isEqualTo(3);
        assertThat(rule.queue()).isEqualTo("bad");
    }

    @Test
    void theNumberOfDeliveriesKeepsTheDeadLetterQueueOfAllQueues() {
        DeadLetter rule = deadLetterOfOrders(
                Map.of("jono.queue.dead-letter-queue", "bad", "jono.queues.orders.max-deliveries", "0"));
        assertThat(rule.maxDeliveries()).isEqualTo(DeadLetter.never().maxDeliveries());
        assertThat(rule.queue()).isEqualTo("bad");
    }

    @Test
    void anEmptyDeadLetterQueueIsNotSet() {
        DeadLetter rule = deadLetterOfOrders(
                Map.of("jono.queues.orders.dead-letter-queue", "", "jono.queues.orders.max-deliveries", "7"));
        assertThat(rule.maxDeliveries()).isEqualTo(7);
        assertThat(rule.queue()).isEqualTo(DeadLetter.DEFAULT_QUEUE);
    }

    @Test
    void partsOfTheBackoffAreOverriddenOneByOne() {
        Backoff backoff = backoffOfOrders(Map.of(
                "jono.queue.backoff.first", "5s",
                "jono.queue.backoff.jitter", "0",
                "jono.queues.orders.backoff.max", "1m"));
        assertThat(backoff.delay(1)).hasSeconds(5);
        assertThat(backoff.delay(2)).as("the default factor").hasSeconds(10);
        assertThat(backoff.delay(9)).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void withoutPartsOfTheQueueItHasTheBackoffOfAllQueues() {
        assertThat(orders(Map.of("jono.queue.backoff.first", "5s", "jono.queues.orders.lease", "1m"))
                        .backoff())
                .as("the defaults of the factory apply")
                .isNull();
    }

    @Test
    void aPartThatIsNotSetHasTheDefaultOfTheEngine() {
        Backoff backoff =
                backoffOfOrders(Map.of("jono.queues.orders.backoff.jitter", "0", "jono.queues.orders.lease", "1m"));
        for (int attempt : new int[] {1, 2, 50}) {
            Duration longest = Backoff.standard().delay(attempt);
            assertThat(backoff.delay(attempt))
                    .isBetween(
                            longest,
                            Duration.ofNanos((long) (longest.toNanos() / 0.8)).plusMillis(2));
        }
    }
}
