package dev.jono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

    @ParameterizedTest
    @MethodSource
    void wrongOptionsFailTheStart(UnaryOperator<QueueOptions.Builder> set, String option, String says) {
        QueueOptions wrong = set.apply(QueueOptions.builder()).build();
        assertRefused(QueueFactory.builder("memory:").queueOptions("orders", wrong), option, "orders", says);
        assertRefused(QueueFactory.builder("memory:").queueDefaults(wrong), option, "*", says);
    }

    static List<Arguments> wrongOptionsFailTheStart() {
        return List.of(
                wrong(options -> options.signaller("nope:x"), "signaller", "no signaller 'nope' on the class path"),
                wrong(options -> options.stats("nope:x"), "stats", "no stats 'nope' on the class path"),
                wrong(options -> options.pipeline("p"), "pipeline", "memory does not separate pipelines"),
                wrong(
                        options -> options.deadLetter(DeadLetter.never().queue("a b")),
                        "deadLetter",
                        "queue name 'a b' is not allowed"));
    }

    private static Arguments wrong(UnaryOperator<QueueOptions.Builder> set, String option, String says) {
        return Arguments.of(set, option, says);
    }

    @Test
    void aWrongNameFailsTheStart() {
        assertRefused(
                QueueFactory.builder("memory:").queueOptions("a b", QueueOptions.none()),
                "name",
                "a b",
                "queue name 'a b' is not allowed");
    }

    @Test
    void aWrongOptionOfTheFactoryIsNamed() {
        assertRefused(QueueFactory.builder("memory:").signaller("nope:x"), "signaller", null, "no signaller 'nope'");
        assertRefused(QueueFactory.builder("memory:").stats("nope:x"), "stats", null, "no stats 'nope'");
        assertRefused(QueueFactory.builder("memory:?jono.x=1"), "url", null, "unknown option jono.x for 'memory'");
        assertRefused(QueueFactory.builder("nope:x"), "url", null, "no backend 'nope'");
    }

    private static void assertRefused(
            QueueFactoryBuilder builder, @Nullable String option, @Nullable String queue, String says) {
        assertThatThrownBy(builder::connect)
                .isInstanceOfSatisfying(ConfigurationException.class, refused -> {
                    assertThat(refused.option()).isEqualTo(option);
                    assertThat(refused.queue()).isEqualTo(queue);
                })
                .hasMessageContaining(says);
    }

    private static QueueOptions lease(Duration lease) {
        return QueueOptions.builder().lease(lease).build();
    }
}
