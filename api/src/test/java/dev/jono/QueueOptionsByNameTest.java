package dev.jono;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueOptionsByNameTest {
    private static final Duration NOW = Duration.ZERO;

    private static Duration leaseOf(MessageQueue<String> queue) throws InterruptedException {
        queue.push("a");
        Reservation<String> reservation = queue.reserve(NOW).orElseThrow();
        return Duration.between(reservation.dueAt(), reservation.leaseEnd());
    }

    @Test
    void optionsOfTheNameOverrideTheDefaults() throws Exception {
        try (QueueFactory jono = QueueFactory.builder("memory:")
                .queueDefaults(lease(Duration.ofMinutes(1)))
                .queueOptions("slow", lease(Duration.ofHours(1)))
                .connect()) {
            assertThat(leaseOf(jono.queue("slow", String.class))).isGreaterThan(Duration.ofMinutes(50));
            assertThat(leaseOf(jono.queue("other", String.class))).isLessThan(Duration.ofMinutes(2));
        }
    }

    @Test
    void optionsOfTheCallOverrideThoseOfTheName() throws Exception {
        try (QueueFactory jono = QueueFactory.builder("memory:")
                .queueOptions("slow", lease(Duration.ofHours(1)))
                .connect()) {
            assertThat(leaseOf(jono.queue("slow", String.class, lease(Duration.ofMinutes(1)))))
                    .isLessThan(Duration.ofMinutes(2));
        }
    }

    @Test
    void queuesOpenWithATypeThatIsKnownAtRunTime() throws Exception {
        Type type = new TypeRef<List<Integer>>() {}.type();
        try (QueueFactory jono = QueueFactory.connect("memory:")) {
            MessageQueue<?> queue = jono.queue("numbers", TypeRef.of(type));
            jono.queue("numbers", new TypeRef<List<Integer>>() {}).push(List.of(1, 2));
            assertThat(queue.pop(1, NOW))
                    .singleElement()
                    .satisfies(message -> assertThat((Object) message.payload()).isEqualTo(List.of(1, 2)));
        }
    }

    private static QueueOptions lease(Duration lease) {
        return QueueOptions.builder().lease(lease).build();
    }
}
