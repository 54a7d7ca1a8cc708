package dev.jono.spring.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;

/** Talks to the shop over HTTP. */
final class ShopClient {
    static final int ACCEPTED = 202;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private final String base;
    private final Map<String, String> headers;

    ShopClient(int port) {
        this("http://localhost:" + port, Map.of());
    }

    private ShopClient(String base, Map<String, String> headers) {
        this.base = base;
        this.headers = headers;
    }

    static ShopClient of(ConfigurableApplicationContext shop) {
        return new ShopClient(Integer.parseInt(shop.getEnvironment().getRequiredProperty("local.server.port")));
    }

    /** The same for a user, with HTTP Basic. */
    ShopClient as(String user, String password) {
        String credentials =
                Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        return new ShopClient(base, Map.of("Authorization", "Basic " + credentials));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return HTTP.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        HttpRequest post = request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return HTTP.send(post, HttpResponse.BodyHandlers.ofString());
    }

    /** Posts a form without fields. */
    HttpResponse<String> postForm(String path, Map<String, String> more) throws IOException, InterruptedException {
        HttpRequest.Builder post = request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.noBody());
        more.forEach(post::header);
        return HTTP.send(post.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Orders something; true if the shop has accepted it. */
    boolean order(int id) throws IOException, InterruptedException {
        return post("/orders", "{\"id\": " + id + ", \"item\": \"skates\", \"pieces\": 2}")
                        .statusCode()
                == ACCEPTED;
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(20));
        headers.forEach(request::header);
        return request;
    }
}
