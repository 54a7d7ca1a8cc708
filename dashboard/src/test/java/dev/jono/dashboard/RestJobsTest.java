package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Jobs, types, schedules, batches and runners by REST. */
class RestJobsTest extends DashboardCase {
    private static final JobType<String, Void> FAIL =
            JobType.of("fail", String.class).maxAttempts(1);

    private JobState state(String id) {
        return jobs.get(id).orElseThrow().state();
    }

    private JobRunner startRunner() {
        return jobs.runner()
                .handle(RESIZE, (file, run) -> {
                    run.progress(1, 4);
                    run.log("reading {}", file);
                    return "small-" + file;
                })
                .handle(FAIL, (text, run) -> {
                    throw new IllegalStateException("no disk");
                })
                .start();
    }

    @Test
    void jobIsEnqueuedRunAndShown() {
        HttpResponse<String> enqueued = site.json(
                "POST",
                "/api/v1/jobs",
                "{\"type\": \"resize\", \"payload\": \"a.png\", \"priority\": \"high\", \"tags\": [\"eu\"]}");
        assertThat(enqueued.statusCode()).isEqualTo(201);
        String id = Site.parse(enqueued.body()).path("id").asText();
        JsonNode waiting = site.json("/api/v1/jobs/" + id);
        assertThat(waiting.path("state").asText()).isEqualTo("waiting");
        assertThat(waiting.path("priority").asText()).isEqualTo("high");
        assertThat(waiting.path("payload").path("json").asText()).isEqualTo("a.png");

        startRunner();
        Awaitility.await().until(() -> state(id) == JobState.SUCCEEDED);
        JsonNode done = site.json("/api/v1/jobs/" + id);
        assertThat(done.path("result").path("json").asText()).isEqualTo("small-a.png");
        assertThat(done.path("percent").asInt()).isEqualTo(25);
        assertThat(site.json("/api/v1/jobs/" + id + "/log").get(0).path("text").asText())
                .isEqualTo("reading a.png");
        assertThat(site.json("/api/v1/jobs?type=resize&state=succeeded&tag=eu").path("jobs"))
                .hasSize(1);
        assertThat(site.json("/api/v1/types")
                        .get(0)
                        .path("counts")
                        .path("succeeded")
                        .asLong())
                .isEqualTo(1);
        JsonNode runner = site.json("/api/v1/runners").get(0);
        assertThat(runner.path("pid").asLong())
                .isEqualTo(ProcessHandle.current().pid());
        assertThat(runner.path("types")).hasSize(2);
    }

    @Test
    void severalJobsAreEnqueuedAtOnce() {
        HttpResponse<String> enqueued = site.json(
                "POST",
                "/api/v1/jobs",
                "[{\"type\": \"resize\", \"payload\": 1}, {\"type\": \"resize\", \"payload\": 2, \"unique\": \"two\"},"
                        + " {\"type\": \"resize\", \"payload\": 3, \"unique\": \"two\"}]");
        assertThat(enqueued.statusCode()).isEqualTo(201);
        JsonNode answers = Site.parse(enqueued.body());
        assertThat(answers).hasSize(3);
        assertThat(answers.get(2).path("duplicate").asBoolean()).isTrue();
        assertThat(jobs.counts("resize")).containsEntry(JobState.WAITING, 2L);
    }

    @Test
    void failedJobIsRetriedRerunAndRemoved() {
        JobHandle<Void> failing = jobs.enqueue(FAIL, "x");
        JobRunner runner = startRunner();
        Awaitility.await().until(() -> state(failing.id()) == JobState.FAILED);
        runner.stop(Duration.ofSeconds(5));
        String path = "/api/v1/jobs/" + failing.id();
        assertThat(site.json(path).path("reason").asText()).contains("no disk");
        JsonNode attempt = site.json(path).path("attempts").get(0);
        assertThat(attempt.path("error").asText()).contains("no disk");
        assertThat(attempt.path("waitedMillis").isNumber()).isTrue();
        assertThat(attempt.path("millis").isNumber()).isTrue();
        assertThat(site.json("POST", path + "/retry", "").statusCode()).isEqualTo(204);
        assertThat(state(failing.id())).isEqualTo(JobState.WAITING);
        assertThat(site.json("POST", path + "/retry", "").statusCode()).isEqualTo(409);
        assertThat(site.json("POST", path + "/cancel", "").statusCode()).isEqualTo(204);
        assertThat(state(failing.id())).isEqualTo(JobState.CANCELLED);
        assertThat(site.json("POST", path + "/rerun", "").statusCode()).isEqualTo(204);
        assertThat(site.send("DELETE", path, "", "").statusCode()).isEqualTo(204);
        assertThat(site.get(path).statusCode()).isEqualTo(404);
        assertThat(jobs.counts("fail")).containsEntry(JobState.WAITING, 1L);
    }

    @Test
    void scheduledJobIsStartedAndItsPriorityChanged() {
        String id = jobs.enqueue(RESIZE, "x", o -> o.delay(Duration.ofHours(1))).id();
        String path = "/api/v1/jobs/" + id;
        assertThat(site.json("PUT", path + "/priority", "{\"priority\": \"critical\"}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(jobs.get(id).orElseThrow().priority()).isEqualTo(JobPriority.CRITICAL);
        assertThat(site.json("POST", path + "/run", "").statusCode()).isEqualTo(204);
        assertThat(state(id)).isEqualTo(JobState.WAITING);
    }

    @Test
    void manyJobsAreChangedByIdsOrByQueryWithABound() {
        List<String> ids = jobs.enqueueAll(RESIZE, List.of("1", "2", "3", "4", "5"), o -> o.tag("eu")).stream()
                .map(JobHandle::id)
                .toList();
        HttpResponse<String> chosen = site.json(
                "POST",
                "/api/v1/jobs/actions/cancel",
                "{\"ids\": [\"" + ids.get(0) + "\", \"" + ids.get(1) + "\"], \"reason\": \"by hand\"}");
        assertThat(Site.parse(chosen.body()).path("changed").asInt()).isEqualTo(2);
        assertThat(jobs.get(ids.get(0)).orElseThrow().reason()).hasValue("by hand");
        HttpResponse<String> bounded =
                site.json("POST", "/api/v1/jobs/actions/cancel", "{\"type\": \"resize\", \"tag\": \"eu\", \"max\": 2}");
        assertThat(Site.parse(bounded.body()).path("changed").asInt()).isEqualTo(2);
        assertThat(jobs.counts("resize")).containsEntry(JobState.WAITING, 1L).containsEntry(JobState.CANCELLED, 4L);
        assertThat(site.json("POST", "/api/v1/jobs/actions/remove", "{\"type\": \"resize\"}")
                        .statusCode())
                .as("without a bound")
                .isEqualTo(400);
    }

    @Test
    void typeIsPaused() {
        jobs.enqueue(RESIZE, "x");
        assertThat(site.json("PUT", "/api/v1/types/resize/paused", "true").statusCode())
                .isEqualTo(204);
        assertThat(jobs.isPaused("resize")).isTrue();
        assertThat(site.json("PUT", "/api/v1/types/resize/paused", "false").statusCode())
                .isEqualTo(204);
        assertThat(jobs.isPaused("resize")).isFalse();
    }

    @Test
    void scheduleIsStoredRunPausedAndRemoved() {
        String path = "/api/v1/schedules/nightly";
        HttpResponse<String> stored = site.json(
                "PUT",
                path,
                "{\"type\": \"resize\", \"cron\": \"30 2 * * *\", \"zone\": \"Europe/Helsinki\", \"payload\": \"all\"}");
        assertThat(stored.statusCode()).isEqualTo(200);
        JsonNode schedule = Site.parse(stored.body());
        assertThat(schedule.path("zone").asText()).isEqualTo("Europe/Helsinki");
        assertThat(schedule.path("words").asText()).contains("02:30");
        assertThat(schedule.path("next").asText()).isNotEmpty();
        String job = Site.parse(site.json("POST", path + "/run", "").body())
                .path("id")
                .asText();
        assertThat(state(job)).isEqualTo(JobState.WAITING);
        assertThat(site.json("PUT", path + "/paused", "true").statusCode()).isEqualTo(204);
        assertThat(site.json(path).path("paused").asBoolean()).isTrue();
        assertThat(site.json("/api/v1/schedules")).hasSize(1);
        assertThat(site.send("DELETE", path, "", "").statusCode()).isEqualTo(204);
        assertThat(site.get(path).statusCode()).isEqualTo(404);
        assertThat(site.json(
                                "PUT",
                                path,
                                "{\"type\": \"resize\", \"cron\": \"61 * * * *\", \"zone\": \"UTC\", \"payload\": 1}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void batchesAreListed() {
        for (String name : List.of("a", "b", "c")) {
            jobs.batch(name).enqueueAll(RESIZE, List.of("x"), o -> o);
        }
        JsonNode first = site.json("/api/v1/batches?limit=2");
        assertThat(first.path("batches")).hasSize(2);
        assertThat(first.path("batches").get(0).path("added").asLong()).isEqualTo(1);
        assertThat(site.json("/api/v1/batches?after=" + first.path("next").asText())
                        .path("batches"))
                .hasSize(1);
    }

    @Test
    void schedulesOfTheApplicationAreShown() {
        jobs.schedule("hourly", "0 * * * *", ZoneOffset.UTC, RESIZE, "x");
        assertThat(site.text("/schedules")).contains("hourly", "every hour");
    }
}
