package dev.jono.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** What the property {@code jono.dashboard.path} can be. */
@ExtendWith(OutputCaptureExtension.class)
class DashboardPathTest {
    private static ConfigurableApplicationContext start(String path) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--jono.url=memory:",
                "--management.health.redis.enabled=false", // there is none in this test
                "--jono.dashboard.path=" + path));
        return SpringApplication.run(ShopApplication.class, arguments.toArray(String[]::new));
    }

    @Test
    void withoutAPathThereIsNoDashboard() throws Exception {
        try (ConfigurableApplicationContext shop = start("")) {
            ShopClient client = ShopClient.of(shop);
            assertThat(client.get("/actuator/health").statusCode()).isEqualTo(200);
            assertThat(client.get("/jono/queues").statusCode()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @CsvSource({"/ops/jono, /ops/jono/queues", "/jono/, /jono/queues", "/-~_.9, /-~_.9/queues"})
    void theDashboardIsAtAPath(String path, String page) throws Exception {
        try (ConfigurableApplicationContext shop = start(path)) {
            ShopClient client = ShopClient.of(shop);
            assertThat(client.get(page).body()).contains("<!DOCTYPE html>");
            assertThat(client.get("/actuator/health").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jono", "/", "//", "/jono/*", "/a b", "/..", "/caf\u00e9", "false", "http://localhost/jono"})
    void aWrongPathFailsTheStart(String path, CapturedOutput output) {
        assertThat(catchThrowable(() -> start(path).close())).isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("jono.dashboard.path")
                .contains("Value: \"" + path + "\"")
                .contains("It must be a path such as /jono");
    }
}
