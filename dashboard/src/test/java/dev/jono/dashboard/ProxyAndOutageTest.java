package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A proxy that changes the path, and a storage that goes away: in a browser, on a Redis server. */
@Tag("browser")
class ProxyAndOutageTest {
    /** A reverse proxy that has the dashboard at another path, as nginx does with {@code proxy_pass}. */
    private static HttpServer proxy(Site site) throws IOException {
        HttpClient client = HttpClient.newHttpClient();
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.setExecutor(Executors.newCachedThreadPool());
        proxy.createContext("/ops/tools/queues/", exchange -> forward(client, site, exchange));
        proxy.start();
        return proxy;
    }

    private static void forward(HttpClient client, Site site, HttpExchange exchange) throws IOException {
        URI asked = exchange.getRequestURI();
        String target = asked.getRawPath().substring("/ops/tools/queues".length())
                + (asked.getRawQuery() == null ? "" : "?" + asked.getRawQuery());
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(site.url(target)))
                .method(
                        exchange.getRequestMethod(),
                        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
        for (String header : List.of("Content-Type", "Sec-Fetch-Site", "Accept")) {
            String value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.header(header, value);
            }
        }
        try (exchange) {
            HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
            for (String header : List.of("Content-Type", "Location", "Content-Security-Policy")) {
                answer.headers()
                        .firstValue(header)
                        .ifPresent(value -> exchange.getResponseHeaders().set(header, value));
            }
            exchange.sendResponseHeaders(answer.statusCode(), answer.statusCode() == 303 ? -1 : 0);
            OutputStream out = exchange.getResponseBody();
            byte[] buffer = new byte[8192];
            for (int read = answer.body().read(buffer);
                    read >= 0;
                    read = answer.body().read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void pagesWorkBehindAProxyThatChangesThePathAndSayWhenTheStorageIsAway() throws IOException {
        try (Browser browser = Browser.start();
                RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri() + "?jono.timeout=500ms");
                Site site = Site.of(Dashboard.of(jono))) {
            HttpServer proxy = proxy(site);
            try {
                jono.queue("orders", String.class).push("hello");
                browser.open("http://127.0.0.1:" + proxy.getAddress().getPort() + "/ops/tools/queues/");
                browser.press("Queues");
                browser.press("orders");
                browser.press("Pause");
                browser.await("the pause", () -> browser.text(".done").equals("Paused."));
                assertThat(browser.url()).contains("/ops/tools/queues/queues/orders");
                assertThat(jono.queue("orders", String.class).isPaused()).isTrue();
                browser.press("Resume");
                browser.await(
                        "the end of the pause", () -> browser.text(".done").equals("Resumed."));
                jono.queue("orders", String.class).push("world");
                browser.await(
                        "the number", () -> browser.text("[data-value=ready]").equals("2"));

                redis.kill();
                browser.await("the outage", () -> browser.text("#live").contains("does not answer"));
                HttpResponse<String> page = site.get("/queues/orders");
                assertThat(page.statusCode()).isEqualTo(503);
                assertThat(page.body()).contains("the storage does not answer", "The log of the dashboard has more");
                assertThat(site.get("/health/ready").statusCode()).isEqualTo(503);
                assertThat(site.get("/health/live").statusCode()).isEqualTo(200);
                redis.restart();
                Awaitility.await()
                        .ignoreExceptions()
                        .until(() ->
                                jono.queue("orders", String.class).push("again").id() != null);
                browser.await(
                        "the end of the outage", () -> browser.text("#live").isEmpty());
                Awaitility.await().until(() -> site.get("/health/ready").statusCode() == 200);
            } finally {
                proxy.stop(0);
            }
        }
    }
}
