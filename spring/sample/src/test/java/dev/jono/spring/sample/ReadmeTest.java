package dev.jono.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spring.JonoListener;
import jakarta.validation.Valid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The README shows a listener that compiles: the one here. */
class ReadmeTest {
    interface Carrier {
        void ship(Order order);
    }

    record Shop(Carrier carrier) {
        @JonoListener(queue = "orders", concurrency = "16")
        void ship(@Valid Order order) {
            carrier.ship(order); // return = ack, throw = retry with backoff
        }
    }

    private static String code(String file) throws IOException {
        return Files.readString(Path.of(file)).replaceAll("\\s+", " ");
    }

    @Test
    void theListenerOfTheReadmeIsThisOne() throws IOException {
        String readme = code("../../README.md");
        String shown = readme.substring(readme.indexOf("@JonoListener("));
        String listener = shown.substring(0, shown.indexOf("```")).strip();
        assertThat(code("src/test/java/dev/jono/spring/sample/ReadmeTest.java")).contains(listener);
    }
}
