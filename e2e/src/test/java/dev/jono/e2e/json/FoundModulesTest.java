package dev.jono.e2e.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.EncodingException;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.TypeRef;
import dev.jono.json.JsonCodecs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With Jackson's modules for Kotlin and for parameter names on the class path, the option finds them. */
class FoundModulesTest {
    private static final Invoice INVOICE =
            new Invoice(1, Instant.parse("2026-02-03T04:05:06.000000007Z"), List.of(new Line("a", 2)), null, true);

    /** Has only a constructor with arguments. Its class file holds their names. */
    static final class Price {
        private final long cents;
        private final String currency;

        Price(long cents, String currency) {
            this.cents = cents;
            this.currency = currency;
        }

        public long getCents() {
            return cents;
        }

        public String getCurrency() {
            return currency;
        }
    }

    private static <T> T throughAQueue(MessageQueue<T> queue, T payload) throws InterruptedException {
        queue.push(payload);
        return queue.pop(Duration.ZERO).orElseThrow().payload();
    }

    @Test
    void dataClassesOfKotlinComeBack() throws Exception {
        try (QueueFactory jono = QueueFactory.builder("memory:")
                .codecs(JsonCodecs.withFoundModules())
                .connect()) {
            assertThat(throughAQueue(jono.queue("invoices", Invoice.class), INVOICE))
                    .isEqualTo(INVOICE);
            List<Event> events = List.of(new Opened("a"), new Closed("done", List.of(new Opened("b"))));
            assertThat(throughAQueue(jono.queue("events", new TypeRef<List<Event>>() {}), events))
                    .isEqualTo(events);
        }
    }

    @Test
    void classWithAnArgumentConstructorComesBack() throws Exception {
        try (QueueFactory jono = QueueFactory.builder("memory:")
                .codecs(JsonCodecs.withFoundModules())
                .connect()) {
            Price got = throughAQueue(jono.queue("prices", Price.class), new Price(5, "EUR"));
            assertThat(got.getCents()).isEqualTo(5);
            assertThat(got.getCurrency()).isEqualTo("EUR");
        }
    }

    @Test
    void withoutTheOptionThePushIsRefusedAndSaysWhatToAdd() {
        try (QueueFactory jono = QueueFactory.connect("memory:")) {
            MessageQueue<Invoice> invoices = jono.queue("invoices", Invoice.class);
            assertThatThrownBy(() -> invoices.push(INVOICE))
                    .isInstanceOf(EncodingException.class)
                    .hasMessageContaining("queue 'invoices'")
                    .hasMessageContaining("com.fasterxml.jackson.module:jackson-module-kotlin")
                    .hasMessageContaining("codecs(JsonCodecs.withFoundModules())");
            assertThat(invoices.totalSize()).isZero();
            assertThatThrownBy(() -> jono.queue("prices", Price.class).push(new Price(5, "EUR")))
                    .isInstanceOf(EncodingException.class)
                    .hasMessageContaining("jackson-module-parameter-names");
        }
    }
}
