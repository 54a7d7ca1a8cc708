package dev.jono.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.test.JonoExtension;
import dev.jono.test.JonoTester;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.MDC;

class MdcTest {
    private final List<Map<String, String>> during = new CopyOnWriteArrayList<>();

    /** What is left when the handler has ended; seen by an interceptor outside. */
    private final List<Map<String, String>> afterwards = new CopyOnWriteArrayList<>();

    @RegisterExtension
    final JonoExtension jono = JonoExtension.create()
            .configure(factory -> factory.interceptor(new dev.jono.Interceptor() {
                        @Override
                        public void handle(dev.jono.Message<?> message, Handling handling) throws Exception {
                            MDC.put("outer", "stays");
                            try {
                                handling.proceed();
                            } finally {
                                afterwards.add(context());
                                MDC.remove("outer");
                            }
                        }
                    })
                    .interceptor(new JonoMdc()));

    private static Map<String, String> context() {
        return Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.of());
    }

    @Test
    void handlerLogsWithItsMessage(QueueFactory jono, JonoTester tester) {
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        jono.worker().from(orders, (order, delivery) -> during.add(context())).start();
        String id = orders.push("skates").id();
        tester.awaitIdle();
        assertThat(during)
                .containsExactly(Map.of("outer", "stays", "jono.queue", "orders", "jono.id", id, "jono.attempt", "1"));
        assertThat(afterwards).containsExactly(Map.of("outer", "stays"));
    }

    @Test
    void batchHasOnlyItsQueue(QueueFactory jono, JonoTester tester) {
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        orders.pushAll(List.of("a", "b"));
        jono.worker()
                .concurrency(2)
                .fromBatch(orders, 2, batch -> during.add(context()))
                .start();
        tester.awaitIdle();
        assertThat(during).containsExactly(Map.of("outer", "stays", "jono.queue", "orders"));
    }
}
