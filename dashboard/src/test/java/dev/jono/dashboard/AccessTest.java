package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.EncodedPayload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who may do what, what is hidden, and what other sites cannot cause. */
class AccessTest extends DashboardCase {
    private static final String FORM = "application/x-www-form-urlencoded";

    /** Everybody may look at all but "secret", and push to "inbox". */
    @Override
    Dashboard dashboard() {
        return Dashboard.builder()
                .storage("main", jono)
                .access((user, operation, target) -> operation == Operation.VIEW
                        ? !target.equals("secret")
                        : operation == Operation.PUSH && target.equals("inbox"))
                .redaction((target, payload) -> target.equals("cards") ? hidden(payload) : payload)
                .build();
    }

    private static EncodedPayload hidden(EncodedPayload payload) {
        if (payload.text().contains("broken")) {
            throw new IllegalStateException("cannot read it");
        }
        return textPayload("card of " + payload.size() + " bytes");
    }

    @Test
    void whatIsNotAllowedIsRefusedAndItsButtonsAreNotShown() {
        raw("orders").push(jsonPayload("1"));
        raw("inbox").push(jsonPayload("1"));
        raw("secret").push(jsonPayload("1"));
        assertThat(site.text("/queues")).contains("orders", "inbox").doesNotContain("secret");
        assertThat(site.get("/queues/secret").statusCode()).isEqualTo(403);
        assertThat(site.get("/api/v1/queues/secret/messages").statusCode()).isEqualTo(403);
        assertThat(site.text("/queues/orders")).doesNotContain("<button>Push", "<button>Pause", "Remove the messages");
        assertThat(site.text("/queues/inbox")).contains("<button>Push");
        assertThat(site.form("/queues/orders/purge", Map.of()).statusCode()).isEqualTo(403);
        assertThat(site.json("POST", "/api/v1/queues/orders/purge", "").statusCode())
                .isEqualTo(403);
        assertThat(site.json("POST", "/api/v1/queues/inbox/messages", "{\"payload\": 1}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(raw("orders").totalSize()).isEqualTo(1);
        assertThat(raw("inbox").totalSize()).isEqualTo(2);
    }

    @Test
    void redactionHidesPayloadsEverywhere() {
        raw("cards").push(jsonPayload("\"4111 1111\""));
        raw("cards").push(jsonPayload("\"broken 4111\""));
        for (var message : raw("cards").browse(null, 2)) {
            String path = "/queues/cards/messages/" + message.id();
            for (String text : new String[] {
                site.text(path),
                site.text("/api/v1" + path),
                site.text("/api/v1" + path + "/payload"),
                site.text("/queues/cards")
            }) {
                assertThat(text).doesNotContain("4111");
            }
        }
        assertThat(site.text("/queues/cards")).contains("card of 11 bytes", "(hidden)");
    }

    @Test
    void otherSitesCauseNoChanges() {
        String path = "/queues/inbox/push";
        String body = "payload=1&kind=json";
        String own = "http://127.0.0.1:" + site.port();
        assertThat(site.send("POST", path, FORM, body, "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(site.send("POST", path, FORM, body, "Sec-Fetch-Site", "same-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(site.send("POST", path, FORM, body, "Origin", "http://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(site.send("POST", path, FORM, body, "Origin", "null").statusCode())
                .isEqualTo(403);
        assertThat(raw("inbox").totalSize()).isZero();
        assertThat(site.send("POST", path, FORM, body, "Sec-Fetch-Site", "same-origin", "Origin", own)
                        .statusCode())
                .isEqualTo(303);
        assertThat(site.send("POST", path, FORM, body, "Origin", own).statusCode())
                .isEqualTo(303);
        assertThat(site.send("POST", path, FORM, body).statusCode())
                .as("not a browser")
                .isEqualTo(303);
        assertThat(raw("inbox").totalSize()).isEqualTo(3);
    }

    /** Otherwise the server would close the connection, on which the client may have sent its next request. */
    @Test
    void refusedRequestIsReadToItsEnd() throws IOException {
        InputStream body = new ByteArrayInputStream("payload=1&kind=json".getBytes(StandardCharsets.UTF_8));
        try (Dashboard dashboard = dashboard()) {
            dashboard.handle(new Refused(body));
        }
        assertThat(body.available()).isZero();
    }

    /** A change that another site has caused. */
    private record Refused(InputStream body) implements Exchange {
        @Override
        public String method() {
            return "POST";
        }

        @Override
        public String path() {
            return "/queues/inbox/push";
        }

        @Override
        public String mount() {
            return "";
        }

        @Override
        public @Nullable String query() {
            return null;
        }

        @Override
        public @Nullable String header(String name) {
            return name.equals("Sec-Fetch-Site") ? "cross-site" : null;
        }

        @Override
        public @Nullable String user() {
            return null;
        }

        @Override
        public String client() {
            return "127.0.0.1";
        }

        @Override
        public OutputStream answer(int status, Map<String, String> headers, long length) {
            assertThat(status).isEqualTo(403);
            return new ByteArrayOutputStream();
        }
    }

    @Test
    void headersForbidScriptsAndFramesOfOthers() {
        var headers = site.get("/").headers();
        assertThat(headers.firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(headers.firstValue("X-Frame-Options")).hasValue("DENY");
        assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(site.text("/")).doesNotContain("<style", "onclick", "javascript:");
    }
}
