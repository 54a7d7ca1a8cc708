package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Codec;
import dev.jono.Headers;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.messaging.handler.annotation.Header;

/** Payloads can be personal data: they get neither into log lines nor into the headers of dead letters. */
@ExtendWith(OutputCaptureExtension.class)
class PayloadsInLogsTest {
    private static final String SECRET = "matti(at)example.org";

    record Customer(@Email String mail) {}

    record Other(int number) {}

    static class Shop {
        @JonoListener("header")
        void header(Customer customer, @Header("tenant") String tenant) {}

        @JonoListener(queue = "type", codec = "customers")
        void type(Other other) {}

        @JonoListener("valid")
        void valid(@Valid Customer customer) {}

        @JonoListener("batch")
        void batch(@Valid List<Customer> customers) {}
    }

    @Test
    void failuresOfArgumentsDoNotContainThem(CapturedOutput output) {
        Contexts.inMemory()
                .withPropertyValues("jono.queue.max-deliveries=1")
                .withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
                .withBean("customers", Codec.class, () -> Codec.json(Customer.class))
                .withBean(Shop.class)
                .run(context -> {
                    QueueFactory jono = context.getBean(QueueFactory.class);
                    for (String queue : List.of("header", "type", "valid", "batch")) {
                        MessageQueue<Customer> customers = jono.queue(queue, Customer.class);
                        customers.push(new Customer(SECRET));
                        await().atMost(Contexts.SOON).until(() -> customers.totalSize() == 0);
                        assertThat(jono.deadLetters()
                                        .pop(Duration.ZERO)
                                        .orElseThrow()
                                        .headers()
                                        .string(Headers.DL_ERROR))
                                .as(queue)
                                .isNotEmpty()
                                .doesNotContain(SECRET);
                    }
                });
        assertThat(output)
                .contains("Missing header 'tenant'")
                .contains("the payload is not valid: mail ")
                .doesNotContain(SECRET);
    }
}
