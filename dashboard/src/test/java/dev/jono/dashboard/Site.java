package dev.jono.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A dashboard in a servlet container, at {@code /app/jono}, and a client for it. */
final class Site implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Dashboard dashboard;
    private final Server server;
    private final HttpClient client = HttpClient.newHttpClient();

    private Site(Dashboard dashboard, Server server) {
        this.dashboard = dashboard;
        this.server = server;
    }

    static Site of(Dashboard dashboard) {
        return of(dashboard, context -> {});
    }

    /** A site that has further servlets. */
    static Site of(Dashboard dashboard, Consumer<ServletContextHandler> more) {
        Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ServletContextHandler context = new ServletContextHandler("/app", ServletContextHandler.NO_SESSIONS);
        context.addServlet(new ServletHolder(new DashboardServlet(dashboard)), "/jono/*");
        more.accept(context);
        server.setHandler(context);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return new Site(dashboard, server);
    }

    int port() {
        return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    /** The URL of a path below the mount. */
    String url(String path) {
        return "http://127.0.0.1:" + port() + "/app/jono" + path;
    }

    HttpResponse<String> send(String method, String path, String type, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url(path)))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<String> get(String path) {
        return send("GET", path, "", "");
    }

    /** The body of a page or a document that is there. */
    String text(String path) {
        HttpResponse<String> answer = get(path);
        if (answer.statusCode() != 200) {
            throw new AssertionError(path + " is answered " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    JsonNode json(String path) {
        return parse(text(path));
    }

    HttpResponse<String> json(String method, String path, String body) {
        return send(method, path, "application/json", body);
    }

    static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new IllegalStateException(text, e);
        }
    }

    HttpResponse<String> form(String path, Map<String, String> fields) {
        String body = fields.entrySet().stream()
                .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
                .collect(Collectors.joining("&"));
        return send("POST", path, "application/x-www-form-urlencoded", body);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Closes the dashboard only: the server still answers, so that what is open can end well. */
    void closeDashboard() {
        dashboard.close();
    }

    @Override
    public void close() {
        closeDashboard();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
