package dev.jono.examples.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.jono.Backoff;
import dev.jono.BrowsedMessage;
import dev.jono.Headers;
import dev.jono.Worker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookDispatcherTest {
    private static final int DELIVERIES = 4;

    @TempDir
    Path directory;

    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();
    private final Map<String, List<Try>> tries = new ConcurrentHashMap<>();
    private HttpServer receiver;
    private WebhookDispatcher dispatcher;
    private Worker worker;

    /** One request that the receiver got. */
    private record Try(String id, int attempt, String body, long nanos) {}

    @BeforeEach
    void start() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", this::receive);
        receiver.setExecutor(threads);
        receiver.start();
        dispatcher = new WebhookDispatcher(
                "sqlite:" + directory.resolve("webhooks.db"),
                DELIVERIES,
                Backoff.exponential(Duration.ofMillis(50), 2, Duration.ofSeconds(1), 0));
        worker = dispatcher.start(4);
    }

    @AfterEach
    void stop() {
        worker.stop(Duration.ofSeconds(5));
        dispatcher.close();
        receiver.stop(0);
        threads.shutdownNow();
    }

    /** Answers as the path says, {@code /503/…} for example, until the failures of the path are used up. */
    private void receive(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        tries.computeIfAbsent(path, p -> new CopyOnWriteArrayList<>())
                .add(new Try(
                        exchange.getRequestHeaders().getFirst("Webhook-Id"),
                        Integer.parseInt(exchange.getRequestHeaders().getFirst("Webhook-Attempt")),
                        body,
                        System.nanoTime()));
        boolean fails = failures.merge(path, -1, Integer::sum) >= 0;
        if (fails && path.startsWith("/429")) {
            exchange.getResponseHeaders().set("Retry-After", "1");
        }
        exchange.sendResponseHeaders(fails ? Integer.parseInt(path.substring(1, 4)) : 204, -1);
        exchange.close();
    }

    private String send(String path, int failing, String body) {
        failures.put(path, failing);
        return dispatcher.send(new Webhook(
                URI.create("http://localhost:" + receiver.getAddress().getPort() + path), body));
    }

    private List<Try> tries(String path) {
        return tries.getOrDefault(path, List.of());
    }

    @Test
    void deliversManyThoughTheReceiverFailsSometimes() {
        List<String> ids = IntStream.range(0, 60)
                .mapToObj(i -> send("/503/" + i, i % 3, "{\"n\":" + i + "}"))
                .toList();
        await().until(() -> dispatcher.waiting() == 0);
        for (int i = 0; i < 60; i++) {
            List<Try> mine = tries("/503/" + i);
            assertThat(mine).extracting(Try::attempt).containsExactlyElementsOf(upTo(i % 3 + 1));
            assertThat(mine).allSatisfy(t -> assertThat(t.body()).contains("\"n\":"));
            assertThat(mine).extracting(Try::id).containsOnly(ids.get(i));
        }
        assertThat(dispatcher.dead().totalSize()).isZero();
    }

    private static List<Integer> upTo(int last) {
        return IntStream.rangeClosed(1, last).boxed().toList();
    }

    @Test
    void triesComeFurtherAndFurtherApart() {
        send("/500/a", 3, "{}");
        await().until(() -> tries("/500/a").size() == 4);
        List<Try> all = tries("/500/a");
        for (int i = 1; i < all.size(); i++) {
            long apartMillis = (all.get(i).nanos() - all.get(i - 1).nanos()) / 1_000_000;
            assertThat(apartMillis).as("before try %s", i + 1).isGreaterThanOrEqualTo(50L << (i - 1));
        }
    }

    @Test
    void waitsAsLongAsTheReceiverAsks() {
        send("/429/a", 1, "{}");
        await().until(() -> tries("/429/a").size() == 2);
        List<Try> all = tries("/429/a");
        assertThat(all.get(1).nanos() - all.get(0).nanos()).isGreaterThanOrEqualTo(1_000_000_000L);
    }

    @Test
    void putsAsideWhatNeverSucceedsAndSendsItBackWhenAsked() {
        String id = send("/500/down", Integer.MAX_VALUE, "{\"keep\":\"me\"}");
        await().until(() -> dispatcher.dead().size() == 1);
        assertThat(tries("/500/down")).hasSize(DELIVERIES);
        BrowsedMessage<Webhook> dead = dispatcher.dead().browse(null, 10).get(0);
        assertThat(dead.id()).isEqualTo(id);
        assertThat(dead.headers().string(Headers.DL_REASON)).isEqualTo("limit");
        assertThat(dead.headers().string(Headers.DL_ERROR)).contains("answered 500");
        assertThat(dispatcher.waiting()).isZero();

        failures.put("/500/down", 0); // the receiver works again
        assertThat(dispatcher.redrive()).isEqualTo(1);
        await().until(() -> tries("/500/down").size() == DELIVERIES + 1);
        Try last = tries("/500/down").get(DELIVERIES);
        assertThat(last.attempt()).isEqualTo(1);
        assertThat(last.body()).isEqualTo("{\"keep\":\"me\"}");
        await().until(() -> dispatcher.waiting() == 0);
        assertThat(dispatcher.dead().totalSize()).isZero();
    }

    @Test
    void putsAsideAtOnceWhatTheReceiverRefuses() {
        send("/404/gone", Integer.MAX_VALUE, "{}");
        await().until(() -> dispatcher.dead().size() == 1);
        assertThat(tries("/404/gone")).hasSize(1);
        BrowsedMessage<Webhook> dead = dispatcher.dead().browse(null, 10).get(0);
        assertThat(dead.headers().string(Headers.DL_REASON)).isEqualTo("rejected");
    }

    @Test
    void commandStoresAWebhookForTheProcessThatRuns() throws InterruptedException {
        String url = "http://localhost:" + receiver.getAddress().getPort() + "/503/command";
        WebhookDispatcher.main(
                new String[] {"sqlite:" + directory.resolve("webhooks.db"), "send", url, "{\"from\":\"main\"}"});
        await().until(() -> tries("/503/command").size() == 1);
        assertThat(tries("/503/command").get(0).body()).isEqualTo("{\"from\":\"main\"}");
    }
}
