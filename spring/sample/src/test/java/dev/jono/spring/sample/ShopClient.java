package dev.jono.spring.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.springframework.context.ConfigurableApplicationContext;

/** Talks to the shop over HTTP. */
final class ShopClient {
    static final int ACCEPTED = 202;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private final String base;

    ShopClient(int port) {
        this.base = "http://localhost:" + port;
    }

    static ShopClient of(ConfigurableApplicationContext shop) {
        return new ShopClient(Integer.parseInt(shop.getEnvironment().getRequiredProperty("local.server.port")));
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

    /** Orders something; true if the shop has accepted it. */
    boolean order(int id) throws IOException, InterruptedException {
        return post("/orders", "{\"id\": " + id + ", \"item\": \"skates\", \"pieces\": 2}")
                        .statusCode()
                == ACCEPTED;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(20));
    }
}
