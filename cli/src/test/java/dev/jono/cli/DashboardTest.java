package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code jono dashboard}: a server of its own, with and without a user. */
class DashboardTest {
    @TempDir
    Path folder;

    private String url(String name) {
        return "sqlite:" + folder.resolve(name);
    }

    /** A running dashboard. */
    private record Running(Process process, String url) implements AutoCloseable {
        static Running start(String... arguments) throws IOException {
            List<String> line = new ArrayList<>(List.of("dashboard", "--port", "0"));
            line.addAll(List.of(arguments));
            Process process = Jono.child(line.toArray(String[]::new))
                    .redirectErrorStream(true)
                    .start();
            BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            for (String said = out.readLine(); said != null; said = out.readLine()) {
                if (said.startsWith("the dashboard is at ")) {
                    return new Running(process, said.replaceAll(".* (http\\S+) .*", "$1"));
                }
            }
            throw new AssertionError(
                    "the command has ended: " + process.onExit().join().exitValue());
        }

        HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    @Test
    void severalStoragesAreOnOneSiteUntilTheSignal() throws Exception {
        Jono.run("push", url("a.db"), "orders", "{\"id\": 1}");
        Jono.run("push", url("b.db"), "mails", "{\"id\": 2}");
        try (Running dashboard = Running.start(url("a.db"), url("b.db"))) {
            assertThat(dashboard.get("queues").body()).contains("orders", "sqlite-1", "sqlite-2");
            assertThat(dashboard.get("queues?storage=sqlite-2").body()).contains("mails");
            assertThat(dashboard.get("api/v1/queues/a%2Fb").statusCode()).isEqualTo(404);
            dashboard.process.destroy();
            assertThat(dashboard.process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void userAndPasswordAreAskedFor() throws Exception {
        Jono.run("push", url("a.db"), "orders", "{\"id\": 1}");
        Path password = Files.writeString(folder.resolve("password"), "s3cret\n");
        try (Running dashboard = Running.start(url("a.db"), "--user", "ada", "--password-file", password.toString())) {
            assertThat(dashboard.get("queues").statusCode()).isEqualTo(401);
            assertThat(dashboard
                            .get("queues", "Authorization", basic("ada:wrong"))
                            .statusCode())
                    .isEqualTo(401);
            HttpResponse<String> allowed = dashboard.get("queues", "Authorization", basic("ada:s3cret"));
            assertThat(allowed.statusCode()).isEqualTo(200);
            assertThat(allowed.body()).contains("orders", "ada");
        }
    }

    private static String basic(String text) {
        return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readOnlyDashboardChangesNothing() throws Exception {
        Jono.run("push", url("a.db"), "orders", "{\"id\": 1}");
        try (Running dashboard = Running.start(url("a.db"), "--read-only")) {
            assertThat(dashboard.get("queues/orders").body()).doesNotContain("<button>Pause");
            HttpRequest purge = HttpRequest.newBuilder(URI.create(dashboard.url + "api/v1/queues/orders/purge"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(purge, BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void clientsOfKueAreAnsweredIfThatIsWanted() throws Exception {
        Jono.run("jobs", "enqueue", url("a.db"), "mail", "{\"to\": \"ada\"}", "--delay", "1h");
        try (Running dashboard = Running.start(url("a.db"))) {
            assertThat(dashboard.get("kue/stats").statusCode()).isEqualTo(404);
        }
        try (Running dashboard = Running.start(url("a.db"), "--kue")) {
            assertThat(dashboard.get("kue/jobs/delayed/0..10").body()).contains("\"id\":1,", "\"to\":\"ada\"");
            assertThat(dashboard.get("vertx-kue/jobs/delayed/0/to/10/asc").body())
                    .contains("\"DELAYED\"");
            assertThat(dashboard.get("kue/inactive/1").statusCode()).isEqualTo(405);
        }
        try (Running dashboard = Running.start(url("a.db"), "--kue-unsafe-get")) {
            assertThat(dashboard.get("kue/inactive/1").body()).isEqualTo("{\"message\":\"job 1 inactive\"}");
        }
    }

    @Test
    void whatWouldBeOpenToOthersIsRefused() {
        assertThat(Jono.run("dashboard", url("a.db"), "--host", "0.0.0.0").code())
                .isEqualTo(Exit.USAGE);
        assertThat(Jono.run("dashboard", url("a.db"), "--host", "0.0.0.0").err())
                .contains("--user", "--insecure");
        assertThat(Jono.run("dashboard", url("a.db"), "--user", "ada").code()).isEqualTo(Exit.USAGE);
        assertThat(Jono.run("dashboard", "memory:").code()).isEqualTo(Exit.ERROR);
    }
}
