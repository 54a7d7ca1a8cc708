package dev.jono.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.jono.BrowsedMessage;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderServiceTest {
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
    private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+)");

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<String> shipped = ConcurrentHashMap.newKeySet();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private HttpServer carrier;

    @BeforeEach
    void startCarrier() throws IOException {
        carrier = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        carrier.createContext("/", this::carry);
        carrier.setExecutor(threads);
        carrier.start();
    }

    @AfterEach
    void stopCarrier() {
        letGo.countDown();
        carrier.stop(0);
        threads.shutdownNow();
    }

    /** Ships small orders at once, delays the answer to big ones, and refuses forbidden items. */
    private void carry(HttpExchange exchange) throws IOException {
        String order = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String id = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        asked.add(id);
        int status = 200;
        if (order.contains("\"item\":\"anvil\"")) {
            try {
                letGo.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        } else if (order.contains("\"item\":\"dynamite\"")) {
            status = 422;
        }
        if (status == 200) {
            shipped.add(id);
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private URI carrierAddress() {
        return URI.create("http://localhost:" + carrier.getAddress().getPort());
    }

    private String storage() {
        return "sqlite:" + directory.resolve("queues.db");
    }

    private HttpResponse<String> post(URI service, String body) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(service.resolve("/orders"))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private String order(URI service, String item) throws IOException, InterruptedException {
        HttpResponse<String> response = post(service, "{\"item\":\"" + item + "\",\"quantity\":2}");
        assertThat(response.statusCode()).isEqualTo(202);
        Matcher id = ID.matcher(response.body());
        assertThat(id.find()).as(response.body()).isTrue();
        return id.group(1);
    }

    private String get(URI service, String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(service.resolve(path)).build(), BodyHandlers.ofString())
                .body();
    }

    @Test
    void ordersAreTakenShippedAndShown() throws Exception {
        try (OrderService service =
                OrderService.start(new OrderService.Settings(storage(), carrierAddress(), 0, Duration.ofSeconds(5)))) {
            URI address = service.address();
            String skates = order(address, "skates");
            String dynamite = order(address, "dynamite");
            await().until(() -> get(address, "/orders/" + skates).contains("\"state\":\"shipped\""));
            await().until(() -> get(address, "/orders/" + dynamite).contains("\"state\":\"given up\""));
            String anvil = order(address, "anvil");
            await().until(() -> get(address, "/orders/" + anvil).contains("\"state\":\"reserved\""));
            assertThat(get(address, "/status"))
                    .contains("\"reserved\":1", "\"running\":1", "\"succeeded\":1", "\"failed\":1", "\"ready\":0");
            letGo.countDown();
            await().until(() -> get(address, "/status").contains("\"succeeded\":2"));
            assertThat(get(address, "/orders/nonsense")).contains("unknown");
            assertThat(post(address, "{\"item\":\"\"}").statusCode()).isEqualTo(400);
            assertThat(post(address, "nonsense").statusCode()).isEqualTo(400);
        }
    }

    @Test
    void terminatedInTheMiddleOfWorkItLosesNothing() throws Exception {
        Path log = directory.resolve("service.log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OrderService.class.getName(),
                        storage(),
                        carrierAddress().toString(),
                        "0",
                        "2")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            URI address = addressIn(log, process);
            List<String> done = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                done.add(order(address, "skates"));
            }
            await().until(() -> shipped.containsAll(done));
            List<String> open = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                open.add(order(address, "anvil"));
            }
            // The carrier has four orders, and six wait in the queue.
            await().until(() -> asked.stream().filter(open::contains).count() == 4);

            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("it stops").isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isIn(0, 143);

            try (QueueFactory jono = QueueFactory.connect(storage())) {
                MessageQueue<Order> orders = jono.queue("orders", Order.class);
                List<BrowsedMessage<Order>> left = orders.browse(null, 100);
                assertThat(left).extracting(BrowsedMessage::id).containsExactlyInAnyOrderElementsOf(open);
                assertThat(left).extracting(BrowsedMessage::tries).containsOnly(0);
                assertThat(left).extracting(BrowsedMessage::state).containsOnly(BrowsedMessage.State.READY);
                assertThat(orders.history(100))
                        .extracting(BrowsedMessage::id)
                        .containsExactlyInAnyOrderElementsOf(done);
                assertThat(jono.deadLetters().totalSize()).isZero();
            }
            assertThat(Files.readString(log)).contains("stopped: ").doesNotContain("WARN", "ERROR");

            // The next process ships them.
            letGo.countDown();
            try (OrderService next = OrderService.start(
                    new OrderService.Settings(storage(), carrierAddress(), 0, Duration.ofSeconds(5)))) {
                await().until(() -> shipped.containsAll(open));
                await().until(() -> get(next.address(), "/status").contains("\"succeeded\":10"));
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static URI addressIn(Path log, Process process) {
        return await().until(
                        () -> {
                            assertThat(process.isAlive())
                                    .as(Files.readString(log))
                                    .isTrue();
                            try (Stream<String> lines = Files.lines(log)) {
                                return lines.map(LISTENING::matcher)
                                        .filter(Matcher::find)
                                        .map(m -> URI.create(m.group(1)))
                                        .findFirst();
                            }
                        },
                        Optional::isPresent)
                .orElseThrow();
    }
}
