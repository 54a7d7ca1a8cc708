package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.QueueOptions;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The description of the REST API against real answers. */
class OpenApiTest extends DashboardCase {
    private static final JobType<String, Void> FAIL =
            JobType.of("fail", String.class).maxAttempts(1);

    private JsonNode description = JsonNodeFactory.instance.missingNode();
    private final Map<String, Set<String>> checked = new TreeMap<>();

    /** Sends a request, and checks the answer against the description of this path and method. */
    private JsonNode check(String method, String path, String target, String body, int status) {
        HttpResponse<String> answer = site.json(method, target, body);
        assertThat(answer.statusCode())
                .as("%s %s: %s", method, target, answer.body())
                .isEqualTo(status);
        checked.computeIfAbsent(path, p -> new TreeSet<>()).add(method);
        JsonNode responses = description
                .path("paths")
                .path(path)
                .path(method.toLowerCase(Locale.ROOT))
                .path("responses");
        JsonNode response = responses.path(String.valueOf(status));
        boolean problem = status >= 400;
        if (problem) {
            response = description.path("components").path("responses").path("Problem");
        }
        assertThat(response.isMissingNode())
                .as("%s %s has %s in %s", method, path, status, responses)
                .isFalse();
        JsonNode content = response.path("content").path(problem ? "application/problem+json" : "application/json");
        if (content.isMissingNode()) {
            assertThat(status).isIn(204, 200);
            return JsonNodeFactory.instance.missingNode();
        }
        JsonNode value = Site.parse(answer.body());
        assertMatches(value, content.path("schema"), method + " " + target);
        return value;
    }

    private void assertMatches(JsonNode value, JsonNode schema, String what) {
        ObjectNode whole = schema.deepCopy();
        whole.set("components", description.path("components"));
        assertThat(JsonSchemaFactory.getInstance(VersionFlag.V202012)
                        .getSchema(whole)
                        .validate(value))
                .as("%s: %s", what, value)
                .isEmpty();
    }

    private JsonNode check(String method, String path, String body, int status) {
        return check(method, path, path, body, status);
    }

    @Test
    void answersAreAsDescribedAndEverythingIsDescribed() throws InterruptedException {
        description = site.json("/api/v1/openapi.json");
        assertThat(description.path("openapi").asText()).isEqualTo("3.1.0");
        storage();
        queues();
        messages();
        jobs();
        schedules();
        Map<String, Set<String>> described = new TreeMap<>();
        description.path("paths").properties().forEach(path -> {
            Set<String> methods = new TreeSet<>();
            path.getValue().fieldNames().forEachRemaining(method -> methods.add(method.toUpperCase(Locale.ROOT)));
            described.put(path.getKey(), methods);
        });
        described.remove("/api/v1/events");
        assertThat(checked).isEqualTo(described);
        described.forEach((path, methods) -> assertThat(allowed(path)).as(path).isEqualTo(methods));
    }

    /** The methods that the dashboard names when it refuses another one. */
    private Set<String> allowed(String path) {
        String target = path.replaceAll("\\{[a-z]+}", "x").replace("actions/x", "actions/retry");
        String detail = Site.parse(site.send("PROPFIND", target, "", "").body())
                .path("detail")
                .asText();
        return new TreeSet<>(
                Set.of(detail.substring(detail.indexOf(':') + 1).strip().split(", ")));
    }

    private void storage() {
        check("GET", "/api/v1/storages", "", 200);
        check("GET", "/api/v1/openapi.json", "", 200);
        check("GET", "/health/live", "", 200);
        check("GET", "/health/ready", "", 200);
        raw("orders").push(jsonPayload("{\"id\": 1}"));
        check("GET", "/api/v1/overview", "", 200);
    }

    private void queues() throws InterruptedException {
        String queue = "/api/v1/queues/{queue}";
        check("GET", "/api/v1/queues", "/api/v1/queues?limit=1", "", 200);
        check("GET", queue, "/api/v1/queues/orders", "", 200);
        check("GET", queue, "/api/v1/queues/none", "", 404);
        check("PUT", queue + "/paused", "/api/v1/queues/orders/paused", "true", 204);
        check("PUT", queue + "/paused", "/api/v1/queues/orders/paused", "7", 400);
        QueueOptions options = QueueOptions.builder()
                .deadLetter(DeadLetter.after(3).queue("dead"))
                .build();
        var letters = jono.queue("letters", Codec.raw(), options);
        letters.push(jsonPayload("1"));
        letters.push(textPayload("two"));
        letters.reserve(Duration.ZERO).orElseThrow().reject("bad");
        letters.reserve(Duration.ZERO).orElseThrow().reject("bad");
        String id = raw("dead").browse(null, 1).get(0).id();
        check("POST", queue + "/messages/{id}/redrive", "/api/v1/queues/dead/messages/" + id + "/redrive", "", 204);
        check("POST", queue + "/redrive", "/api/v1/queues/dead/redrive", "", 200);
        check("POST", queue + "/purge", "/api/v1/queues/letters/purge", "", 200);
    }

    private void messages() {
        String messages = "/api/v1/queues/{queue}/messages";
        String orders = "/api/v1/queues/orders/messages";
        String unique = "{\"payload\": \"text\", \"kind\": \"string\", \"unique\": \"u\", \"delay\": \"1h\"}";
        String id = check("POST", messages, orders, unique, 201).path("id").asText();
        check("POST", messages, orders, unique, 200);
        check(
                "POST",
                messages,
                orders,
                "{\"payload\": \"AQI=\", \"kind\": \"bytes\", \"headers\": {\"a\": 1.5, \"b\": true}}",
                201);
        check("POST", messages, orders, "{}", 400);
        assertThat(check("GET", messages, orders + "?limit=2", "", 200)
                        .path("next")
                        .asText())
                .isNotEmpty();
        check("GET", messages + "/{id}", orders + "/" + id, "", 200);
        check("GET", messages + "/{id}/payload", orders + "/" + id + "/payload", "", 200);
        check("POST", messages + "/{id}/reschedule", orders + "/" + id + "/reschedule", "{\"delay\": \"2h\"}", 204);
        check("POST", messages + "/{id}/move", orders + "/" + id + "/move", "{\"to\": \"other\"}", 204);
        check("DELETE", messages + "/{id}", "/api/v1/queues/other/messages/" + id, "", 204);
        check("DELETE", messages + "/{id}", "/api/v1/queues/other/messages/" + id, "", 404);
    }

    private void jobs() {
        String job = "/api/v1/jobs/{id}";
        jobs.runner()
                .handle(RESIZE, (file, run) -> {
                    run.progress(1, 2);
                    run.log("half");
                    return file;
                })
                .handle(FAIL, (text, run) -> {
                    throw new IllegalStateException(text);
                })
                .start();
        String id = check("POST", "/api/v1/jobs", "{\"type\": \"resize\", \"payload\": \"a\", \"tags\": [\"x\"]}", 201)
                .path("id")
                .asText();
        check(
                "POST",
                "/api/v1/jobs",
                "{\"type\": \"later\", \"payload\": 1, \"unique\": \"u\", \"delay\": \"1h\"}",
                201);
        check("POST", "/api/v1/jobs", "{\"type\": \"later\", \"payload\": 1, \"unique\": \"u\"}", 200);
        check("POST", "/api/v1/jobs", "[{\"type\": \"later\", \"payload\": 1, \"key\": \"k\"}]", 201);
        String failed = jobs.enqueue(FAIL, "no disk").id();
        Awaitility.await().until(() -> state(id) == JobState.SUCCEEDED && state(failed) == JobState.FAILED);
        check("GET", job, "/api/v1/jobs/" + id, "", 200);
        check("GET", job, "/api/v1/jobs/" + failed, "", 200);
        check("GET", job + "/log", "/api/v1/jobs/" + id + "/log", "", 200);
        check("GET", "/api/v1/jobs", "/api/v1/jobs?type=resize&state=succeeded&limit=1", "", 200);
        check("GET", "/api/v1/jobs", "/api/v1/jobs?type=later", "", 200);
        check("GET", "/api/v1/types", "", 200);
        check("GET", "/api/v1/runners", "", 200);
        check("POST", job + "/rerun", "/api/v1/jobs/" + id + "/rerun", "", 204);
        check("PUT", "/api/v1/types/{type}/paused", "/api/v1/types/fail/paused", "true", 204);
        check("POST", job + "/retry", "/api/v1/jobs/" + failed + "/retry", "", 204);
        check("PUT", job + "/priority", "/api/v1/jobs/" + failed + "/priority", "{\"priority\": \"high\"}", 204);
        check(
                "POST",
                job + "/run",
                "/api/v1/jobs/"
                        + jobs.enqueue(FAIL, "x", o -> o.delay(Duration.ofHours(1)))
                                .id() + "/run",
                "",
                204);
        check("POST", job + "/cancel", "/api/v1/jobs/" + failed + "/cancel", "", 204);
        check("POST", job + "/cancel", "/api/v1/jobs/" + failed + "/cancel", "", 409);
        check(
                "POST",
                "/api/v1/jobs/actions/{action}",
                "/api/v1/jobs/actions/remove",
                "{\"ids\": [\"" + failed + "\"]}",
                200);
        check("DELETE", job, "/api/v1/jobs/" + id, "", 204);
    }

    private JobState state(String id) {
        return jobs.get(id).orElseThrow().state();
    }

    private void schedules() {
        String schedule = "/api/v1/schedules/{name}";
        String nightly = "/api/v1/schedules/nightly";
        check(
                "PUT",
                schedule,
                nightly,
                "{\"type\": \"later\", \"cron\": \"0 2 * * *\", \"zone\": \"UTC\", \"payload\": 1}",
                200);
        check("GET", schedule, nightly, "", 200);
        check("POST", schedule + "/run", nightly + "/run", "", 200);
        check("PUT", schedule + "/paused", nightly + "/paused", "true", 204);
        check("GET", "/api/v1/schedules", "", 200);
        check("DELETE", schedule, nightly, "", 204);
        jobs.batch("import").enqueueAll(RESIZE, List.of("x"), o -> o);
        check("GET", "/api/v1/batches", "", 200);
    }
}
