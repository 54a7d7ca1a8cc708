package dev.jono.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.QueueFactory;
import dev.jono.jobs.Jobs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Drives the shop over HTTP. */
class ShopTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext shop;
    private static ShopClient client;

    @BeforeAll
    static void open() {
        shop = SpringApplication.run(
                ShopApplication.class,
                "--server.port=0",
                "--jono.url=sqlite:" + folder.resolve("shop.db"),
                "--management.health.redis.enabled=false"); // there is none in this test
        client = new ShopClient(Integer.parseInt(shop.getEnvironment().getRequiredProperty("local.server.port")));
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    @Test
    void anOrderIsShippedAndInvoiced() throws Exception {
        assertThat(client.order(1)).isTrue();
        await().atMost(SOON).until(() -> client.get("/orders/1").statusCode() == 200);
        assertThat(client.get("/orders/1").body()).contains("2 x skates");
    }

    @Test
    void anOrderThatIsNotValidIsADeadLetter() throws Exception {
        client.post("/orders", "{\"id\": 2, \"item\": \"\", \"pieces\": 0}");
        QueueFactory jono = shop.getBean(QueueFactory.class);
        await().atMost(SOON).until(() -> jono.deadLetters().size() == 1);
    }

    @Test
    void theActuatorShowsAndControlsTheShop() throws Exception {
        assertThat(client.get("/actuator/health").statusCode()).as("up").isEqualTo(200);
        assertThat(client.get("/actuator/health").body()).contains("\"jono\":{").contains("\"backend\":\"sqlite\"");
        assertThat(client.get("/actuator/info").body()).contains("\"jono\":{\"backend\":\"sqlite\"");
        assertThat(client.get("/actuator/jono").body())
                .contains("\"queues\":", "\"listeners\":[", "warehouse.ship", "warehouse.takeStock");
        assertThat(client.get("/actuator/jono/nothing").statusCode()).isEqualTo(404);

        assertThat(client.post("/actuator/jono/jobs/invoice", "{\"action\": \"explode\"}")
                        .statusCode())
                .isEqualTo(400);
        client.order(3);
        await().atMost(SOON).until(() -> client.get("/orders/3").statusCode() == 200);
        assertThat(client.post("/actuator/jono/queues/orders", "{\"action\": \"pause\"}")
                        .body())
                .contains("\"paused\":true");
        client.order(4);
        assertThat(client.get("/actuator/jono/queues/orders").body()).contains("\"ready\":1");
        client.post("/actuator/jono/queues/orders", "{\"action\": \"resume\"}");
        await().atMost(SOON).until(() -> client.get("/orders/4").statusCode() == 200);
    }

    @Test
    void metricsCountWhatTheShopDoes() throws Exception {
        client.order(6);
        await().atMost(SOON).until(() -> client.get("/orders/6").statusCode() == 200);
        for (String meter : List.of("jono.messages", "jono.storage.call", "jono.job.wait")) {
            await().atMost(SOON)
                    .until(() -> client.get("/actuator/metrics/" + meter).statusCode() == 200);
        }
        assertThat(client.get("/actuator/metrics/jono.messages?tag=queue:orders&tag=operation:push")
                        .statusCode())
                .isEqualTo(200);
        await("the event at the end of the job")
                .atMost(SOON)
                .until(() -> client.get("/actuator/metrics/jono.job.duration?tag=outcome:succeeded")
                                .statusCode()
                        == 200);
        assertThat(client.get("/actuator/metrics/messaging.process.duration").body())
                .as("observations")
                .contains("messaging.destination.name");
    }

    @Test
    void theDashboardIsAtItsPath() throws Exception {
        client.order(5);
        await().atMost(SOON).until(() -> client.get("/orders/5").statusCode() == 200);
        assertThat(client.get("/jono/schedules").body()).contains("warehouse.takeStock");
        assertThat(client.get("/jono/api/v1/types").body()).contains("\"type\":\"invoice\"");
        assertThat(client.get("/jono/assets/dashboard.js").statusCode()).isEqualTo(200);
        assertThat(client.get("/jono/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void theScheduleIsDeclared() {
        assertThat(shop.getBean(Jobs.class).schedules())
                .singleElement()
                .satisfies(schedule -> assertThat(schedule.name()).isEqualTo("warehouse.takeStock"));
    }
}
