package dev.jono.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.jono.QueueFactory;
import dev.jono.jobs.Jobs;
import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Drives the shop over HTTP. The tests of other storages set the arguments that name them, separated by blanks. */
class ShopTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String BACKEND = System.getProperty("shop.backend", "sqlite");

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext shop;
    private static ShopClient client;

    @BeforeAll
    static void open() {
        String storage = System.getProperty("shop.storage", "--jono.url=sqlite:" + folder.resolve("shop.db"));
        List<String> arguments = new ArrayList<>(List.of(storage.split(" ", -1)));
        arguments.add("--server.port=0");
        arguments.add("--spring.jmx.enabled=true");
        arguments.add("--management.endpoints.jmx.exposure.include=jono");
        arguments.add("--management.health.redis.enabled=false"); // there is none in this test
        shop = SpringApplication.run(ShopApplication.class, arguments.toArray(String[]::new));
        client = ShopClient.of(shop);
    }

    @AfterAll
    static void closesQuietly() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).addAppender(log);
        shop.close();
        // The worker logs a dead letter a moment after it has stored it.
        assertThat(log.list)
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .filteredOn(line -> !line.getFormattedMessage().contains("it is in the dead-letter queue"))
                .isEmpty();
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
        assertThat(client.get("/actuator/health").body())
                .contains("\"jono\":{")
                .contains("\"backend\":\"" + BACKEND + '"');
        assertThat(client.get("/actuator/info").body()).contains("\"jono\":{\"backend\":\"" + BACKEND + '"');
        assertThat(client.get("/actuator/jono").body())
                .contains("\"queues\":", "\"listeners\":[", "warehouse.ship", "warehouse.takeStock");
        assertRefused(client.get("/actuator/jono/nothing"), "use one of [queues, listeners, jobs, schedules]");
        assertRefused(client.get("/actuator/jono/queues/ordres"), "The application uses [__deadletter__, orders]");
        assertRefused(
                client.post("/actuator/jono/schedules/stock", "{\"action\": \"run\"}"), "there is no schedule 'stock'");

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

    private static void assertRefused(HttpResponse<String> answer, String why) {
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).contains(why);
    }

    @Test
    void theActuatorAnswersOverJmx() throws Exception {
        ObjectName endpoint = new ObjectName("org.springframework.boot:type=Endpoint,name=Jono");
        String[] types = {String.class.getName(), String.class.getName()};
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        assertThat(server.invoke(endpoint, "entry", new Object[] {"queues", "orders"}, types) + "")
                .contains("name=orders", "paused=");
        assertThat(server.invoke(endpoint, "entry", new Object[] {"queues", "ordres"}, types) + "")
                .contains("status=404", "there is no queue 'ordres'");
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
