package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What the routes of Kue do with jobs of Jono, what they refuse, and the variants of Vert.x Kue. */
class KueRoutesTest extends DashboardCase {
    private static final String JSON = "application/json";

    @Override
    Dashboard dashboard() {
        return builder().build();
    }

    private Dashboard.Builder builder() {
        return Dashboard.builder().storage("main", jono).kue();
    }

    private void open(Dashboard.Builder other) {
        site.close();
        site = Site.of(other.build());
    }

    private JobState state(JobHandle<?> job) {
        return job.view().orElseThrow().state();
    }

    private static String error(HttpResponse<String> answer) {
        return Site.parse(answer.body()).path("error").asText();
    }

    @Test
    void jobsOfJonoHaveNumbersToo() {
        JobHandle<String> job = jobs.enqueue(RESIZE, "a.png", o -> o.priority(JobPriority.HIGH));
        JsonNode listed = site.json("/kue/jobs/resize/inactive/0..10").get(0);
        assertThat(listed.path("id").asLong()).isEqualTo(1);
        assertThat(listed.path("data").asText()).isEqualTo("a.png");
        assertThat(listed.path("priority").asInt()).isEqualTo(-10);
        assertThat(site.json("/kue/job/1").path("type").asText()).isEqualTo("resize");
        site.close();
        site = Site.of(dashboard());
        assertThat(site.json("/kue/job/1").path("id").asText())
                .as("after a restart")
                .isEqualTo("1");
        assertThat(site.send("DELETE", "/kue/job/1", "", "").statusCode()).isEqualTo(200);
        assertThat(job.view()).isEmpty();
    }

    @Test
    void optionsAreTranslated() {
        site.json(
                "POST",
                "/kue/job",
                "{\"type\": \"mail\", \"data\": {\"to\": \"ada\", \"at\": {\"zip\": 17}}, \"options\": {\"priority\": \"critical\","
                        + " \"delay\": \"60000\", \"searchKeys\": [\"to\", \"at.zip\", \"at\"], \"attempts\": 3, \"ttl\": 5}}");
        String id = jobs.numbers().job(1).orElseThrow();
        assertThat(jobs.get(id).orElseThrow()).satisfies(job -> {
            assertThat(job.priority()).isEqualTo(JobPriority.CRITICAL);
            assertThat(job.tags()).containsExactlyInAnyOrder("ada", "17");
            assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
            assertThat(Duration.between(
                            job.enqueuedAt().orElseThrow(), job.dueAt().orElseThrow()))
                    .isBetween(Duration.ofSeconds(59), Duration.ofSeconds(61));
        });
        assertThat(error(site.json("POST", "/kue/job", "{\"type\": \"two words\"}")))
                .contains("letters");
        assertThat(error(site.json("POST", "/kue/job", "{\"type\": \"a\", \"options\": {\"priority\": \"odd\"}}")))
                .isEqualTo("invalid priority");
        site.json("POST", "/kue/job", "{\"type\": \"mail\", \"options\": {\"priority\": -8}}");
        assertThat(jobs.get(jobs.numbers().job(2).orElseThrow()).orElseThrow().priority())
                .as("the nearest one")
                .isEqualTo(JobPriority.HIGH);
    }

    @Test
    void statesThatJonoDoesNotSetAreRefused() {
        JobHandle<String> job = jobs.enqueue(RESIZE, "a.png");
        site.text("/kue/jobs/0..10");
        for (String state : List.of("complete", "active", "delayed", "odd")) {
            HttpResponse<String> answer = site.send("PUT", "/kue/job/1/state/" + state, "", "");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(error(answer)).as(state).isNotEmpty();
        }
        assertThat(state(job)).isEqualTo(JobState.WAITING);
        site.send("PUT", "/kue/job/1/state/failed", "", "");
        assertThat(state(job)).isEqualTo(JobState.CANCELLED);
        assertThat(site.json("/kue/job/1").path("state").asText()).isEqualTo("failed");
        site.send("POST", "/kue/inactive/1", "", "");
        assertThat(jobs.counts("resize")).as("a new job").containsEntry(JobState.WAITING, 1L);
    }

    @Test
    void longListsAreCut() {
        jobs.enqueueAll(
                RESIZE, IntStream.range(0, 1_020).mapToObj(String::valueOf).toList(), o -> o);
        assertThat(site.json("/kue/jobs/0..-1")).hasSize(1_000);
        JsonNode middle = site.json("/kue/jobs/resize/inactive/1000..1009/desc");
        assertThat(middle).hasSize(10);
        assertThat(middle.get(0).path("id").asLong())
                .isEqualTo(middle.get(9).path("id").asLong() + 9);
        assertThat(site.json("/kue/jobs/20000..20010").path("error").asText()).contains("10000");
        assertThat(site.json("/kue/jobs/-10..-1").path("error").asText()).contains("end");
    }

    @Test
    void largePayloadsAreWholeForOneJobAndCutInLists() {
        jobs.enqueue(RESIZE, "x".repeat(20_000));
        assertThat(site.json("/kue/jobs/0..1").get(0).path("data").asText()).hasSize(16 << 10);
        assertThat(site.json("/kue/job/1").path("data").asText()).hasSize(20_000);
    }

    @Test
    void getChangesNothingUnlessThatIsAllowed() {
        JobHandle<String> job = jobs.enqueue(RESIZE, "x", o -> o.delay(Duration.ofHours(1)));
        site.text("/kue/jobs/0..10");
        assertThat(site.get("/kue/inactive/1").statusCode()).isEqualTo(405);
        assertThat(error(site.get("/kue/inactive/1"))).contains("--kue-unsafe-get");
        open(builder().kueUnsafeGet());
        assertThat(site.send("GET", "/kue/inactive/1", "", "", "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(site.send("HEAD", "/kue/inactive/1", "", "").statusCode()).isEqualTo(405);
        assertThat(state(job)).isEqualTo(JobState.SCHEDULED);
        assertThat(site.send("GET", "/kue/inactive/1", "", "", "Sec-Fetch-Site", "same-origin")
                        .statusCode())
                .isEqualTo(200);
        assertThat(state(job)).isEqualTo(JobState.WAITING);
    }

    private static final Map<String, String> CHANGES = Map.of(
            "POST /kue/job", "{\"type\": \"resize\"}",
            "PUT /vertx-kue/job", "{\"type\": \"resize\", \"data\": {}}",
            "POST /kue/inactive/1", "",
            "POST /vertx-kue/inactive/1", "",
            "GET /kue/inactive/1", "",
            "DELETE /kue/job/1", "",
            "DELETE /vertx-kue/job/1", "",
            "PUT /kue/job/1/state/failed", "",
            "PUT /vertx-kue/job/1/state/failed", "",
            "PUT /kue/job/1/priority/-15", "");

    private void assertAllRefused(String... headers) {
        CHANGES.forEach((change, body) -> {
            String[] parts = change.split(" ", 2);
            HttpResponse<String> answer = site.send(parts[0], parts[1], body.isEmpty() ? "" : JSON, body, headers);
            assertThat(answer.statusCode()).as(change).isEqualTo(403);
            assertThat(error(answer)).as(change).isNotEmpty();
        });
        assertThat(jobs.counts("resize")).isEqualTo(Map.of(JobState.SCHEDULED, 1L));
    }

    @Test
    void changesAreRefusedToReadersAndOtherSites() {
        jobs.enqueue(RESIZE, "x", o -> o.delay(Duration.ofHours(1)));
        site.text("/kue/jobs/0..10");
        open(builder().kueUnsafeGet());
        assertAllRefused("Sec-Fetch-Site", "cross-site");
        open(builder().kueUnsafeGet().access(Access.readOnly()));
        assertAllRefused();
        assertThat(site.json("/kue/jobs/0..10")).hasSize(1);
    }

    @Test
    void hiddenTypesAndPayloadsStayHidden() {
        jobs.enqueue(RESIZE, "secret");
        jobs.enqueue(JobType.of("open", String.class), "public");
        site.text("/kue/jobs/0..10");
        open(builder().access((user, operation, target) -> !target.equals("resize")));
        assertThat(site.json("/kue/jobs/0..10")).hasSize(1);
        assertThat(site.json("/kue/job/types")).hasSize(1);
        assertThat(site.json("/kue/stats").path("inactiveCount").asInt()).isEqualTo(1);
        assertThat(site.get("/kue/jobs/resize/inactive/0..10").statusCode()).isEqualTo(403);
        assertThat(site.get("/kue/jobs/resize/inactive/stats").statusCode()).isEqualTo(403);
        assertThat(IntStream.of(1, 2)
                        .map(id -> site.get("/kue/job/" + id).statusCode())
                        .sorted())
                .containsExactly(200, 403);
        open(builder()
                .redaction((target, payload) ->
                        EncodedPayload.of(PayloadKind.STRING, "(hidden)".getBytes(StandardCharsets.UTF_8))));
        assertThat(site.text("/kue/jobs/0..10") + site.text("/kue/job/1") + site.text("/vertx-kue/jobs/0/to/10"))
                .contains("(hidden)")
                .doesNotContain("secret", "public");
    }

    @Test
    void badRequestsAreRefusedInTheShapeOfKue() {
        assertThat(site.send("POST", "/kue/job", JSON, "{").statusCode()).isEqualTo(400);
        assertThat(site.send("POST", "/kue/job", JSON, "7").statusCode()).isEqualTo(400);
        assertThat(site.send("POST", "/kue/job", "text/plain", "{}").statusCode())
                .isEqualTo(415);
        String large = "\"" + "x".repeat(9_000_000) + "\"";
        assertThat(RawHttp.send(site.port(), "POST", "/app/jono/kue/job", Map.of("Content-Type", JSON), large)
                        .status())
                .isEqualTo(413);
        assertThat(site.json("POST", "/kue/job", "[7, null, \"x\", {\"type\": 0.5e}]")
                        .statusCode())
                .isEqualTo(400);
        assertThat(site.json("POST", "/kue/job", "[7, null, \"x\", {\"type\": null}]")
                        .body())
                .isEqualTo("[" + "{\"error\":\"Must provide job type\"},".repeat(3)
                        + "{\"error\":\"Must provide job type\"}]");
        assertThat(error(site.get("/kue/odd"))).isNotEmpty();
        assertThat(site.get("/kue/jobs/a/b/c/d").statusCode()).isEqualTo(404);
        for (String id : List.of("0", "-1", "1'%20OR%201", "99999999999999999999", "x", "%3Cscript%3E")) {
            assertThat(error(site.get("/kue/job/" + id))).contains("doesnt exist");
            assertThat(site.get("/kue/job/" + id).headers().firstValue("Content-Type"))
                    .hasValue(JSON);
        }
        assertThat(jobs.types()).isEmpty();
        open(Dashboard.builder().storage("main", jono));
        assertThat(site.get("/kue/stats").statusCode()).as("without the option").isEqualTo(404);
        assertThat(site.get("/vertx-kue/stats").statusCode()).isEqualTo(404);
    }

    /** As its source has it: its page and its tests need no more. */
    @Test
    void vertxKueHasItsOwnPathsAndShapes() {
        HttpResponse<String> created = site.json(
                "PUT",
                "/vertx-kue/job",
                "{\"type\": \"mail\", \"data\": {\"to\": \"ada\"}, \"priority\": \"HIGH\", \"delay\": 0, \"max_attempts\": 2}");
        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(Site.parse(created.body()).path("message").asText()).isEqualTo("job created");
        JsonNode job = site.json("/vertx-kue/job/1");
        assertThat(job.path("priority").asText()).isEqualTo("HIGH");
        assertThat(job.path("state").asText()).isEqualTo("INACTIVE");
        assertThat(job.path("zid").asText()).isEqualTo("01|1");
        assertThat(job.path("created_at").isNumber()).isTrue();
        assertThat(job.path("attempts").asInt(-1)).isZero();
        assertThat(job.path("max_attempts").isNumber()).isTrue();
        for (String list : List.of(
                "/jobs/0/to/10",
                "/jobs/0/to/10/asc",
                "/jobs/inactive/0/to/10/desc",
                "/jobs/mail/inactive/0/to/10/asc")) {
            assertThat(site.json("/vertx-kue" + list)).as(list).hasSize(1);
        }
        assertThat(site.json("/vertx-kue/jobs/mail/inactive/stats")
                        .path("count")
                        .asInt())
                .isEqualTo(1);
        assertThat(site.json("/vertx-kue/stats").path("inactiveCount").asInt()).isEqualTo(1);
        assertThat(site.json("/vertx-kue/job/types").get(0).asText()).isEqualTo("mail");
        HttpResponse<String> changed = site.send("PUT", "/vertx-kue/job/1/state/failed", "", "");
        assertThat(Site.parse(changed.body()).path("message").asText()).isEqualTo("job_state_updated");
        assertThat(Site.parse(site.send("POST", "/vertx-kue/inactive/1", "", "").body())
                        .path("message")
                        .asText())
                .isEqualTo("job 1 restart");
        assertThat(site.send("DELETE", "/vertx-kue/job/1", "", "").statusCode()).isEqualTo(204);
        assertThat(site.send("DELETE", "/vertx-kue/job/1", "", "").statusCode()).isEqualTo(204);
        HttpResponse<String> missing = site.get("/vertx-kue/job/1");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body()).isEmpty();
        assertThat(site.send("PUT", "/vertx-kue/job/1/state/inactive", "", "").body())
                .contains("job_not_found");
        assertThat(site.get("/vertx-kue/job/x").statusCode()).isEqualTo(400);
        assertThat(site.get("/vertx-kue/job/1/log").body()).isEqualTo("[]");
        assertThat(site.get("/vertx-kue/jobs/mail/odd/stats").statusCode()).isEqualTo(400);
    }

    @Test
    void runningJobHasItsWorker() {
        JobHandle<String> job = jobs.enqueue(RESIZE, "x");
        var runner = jobs.runner()
                .name("r1")
                .handle(RESIZE, (file, run) -> {
                    new CountDownLatch(1).await(); // until it is interrupted
                    return file;
                })
                .start();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> site.text("/kue/jobs/active/0..10").contains("\"workerId\":\"r1\""));
        HttpResponse<String> removal = site.send("DELETE", "/kue/job/1", "", "");
        assertThat(error(removal)).contains("state");
        site.send("PUT", "/kue/job/1/state/failed", "", "");
        Awaitility.await().until(() -> state(job) == JobState.CANCELLED);
        runner.stop(Duration.ofSeconds(5));
    }
}
