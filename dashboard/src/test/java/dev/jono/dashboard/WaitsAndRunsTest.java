package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a job waits for, what a runner runs now, and the metrics of the application. */
class WaitsAndRunsTest extends DashboardCase {
    private static final JobType<String, String> ONE = RESIZE.limit(1);

    private final CountDownLatch mayEnd = new CountDownLatch(1);

    /** What a job waits for, such as {@code key a}. */
    private List<String> waits(String id) {
        List<String> waits = new ArrayList<>();
        site.json("/api/v1/jobs/" + id)
                .path("waitsFor")
                .forEach(wait -> waits.add(
                        wait.path("kind").asText() + " " + wait.path("name").asText()));
        return waits;
    }

    private void awaitWait(String id, String wait) {
        Awaitility.await(wait)
                .atMost(Duration.ofSeconds(30))
                .until(() -> waits(id).equals(List.of(wait)));
    }

    private String hold(String file) throws InterruptedException {
        mayEnd.await();
        return file;
    }

    @Test
    void jobTellsWhatItWaitsFor() {
        JobType<String, String> keyed = RESIZE.key(file -> "customer-17");
        JobHandle<String> first = jobs.enqueue(keyed, "a");
        String later = jobs.enqueue(keyed, "b").id();
        String last = jobs.enqueue(RESIZE, "c", o -> o.after(first.id())).id();
        assertThat(waits(first.id())).isEmpty();
        assertThat(waits(later)).containsExactly("key customer-17");
        assertThat(site.text("/jobs/" + later)).contains("Waits for", "earlier jobs with the key customer-17");
        JsonNode wait = site.json("/api/v1/jobs/" + last).path("waitsFor").get(0);
        assertThat(wait.path("kind").asText()).isEqualTo("job");
        assertThat(wait.path("name").asText()).isEqualTo(first.id());
        assertThat(wait.path("state").asText()).isEqualTo("waiting");
        assertThat(site.json("/api/v1/jobs/" + last).path("after").get(0).asText())
                .isEqualTo(first.id());
        assertThat(site.text("/jobs/" + last)).contains(first.id() + "</a>, which is waiting");
        site.json("PUT", "/api/v1/types/resize/paused", "true");
        assertThat(waits(first.id())).containsExactly("pause resize");
        assertThat(waits(last)).containsExactly("job " + first.id(), "pause resize");
        jobs.cancel(first.id(), "no more");
        assertThat(waits(first.id())).as("of an ended job").isEmpty();
    }

    @Test
    void jobTellsThatItsTypeHasReachedItsLimit() {
        jobs.runner().concurrency(2).handle(ONE, (file, run) -> hold(file)).start();
        JobHandle<String> running = jobs.enqueue(ONE, "a");
        Awaitility.await().until(() -> running.view().orElseThrow().state() == JobState.RUNNING);
        String waiting = jobs.enqueue(ONE, "b").id();
        awaitWait(waiting, "limit resize");
        assertThat(site.text("/jobs/" + waiting)).contains("its type has reached its limit");
        assertThat(waits(running.id())).isEmpty();
        mayEnd.countDown();
    }

    @Test
    void jobTellsUntilWhenTheRateHoldsItBack() {
        JobType<String, String> daily = RESIZE.rate(1, Duration.ofDays(1), 1);
        jobs.runner().handle(daily, (file, run) -> file).start();
        JobHandle<String> first = jobs.enqueue(daily, "a");
        Awaitility.await().until(() -> first.view().orElseThrow().state() == JobState.SUCCEEDED);
        String waiting = jobs.enqueue(daily, "b").id();
        awaitWait(waiting, "rate resize");
        assertThat(site.text("/jobs/" + waiting)).contains("the rate of its type, until <time");
    }

    @Test
    void runnerShowsWhatItRunsNow() {
        jobs.runner()
                .name("r1")
                .concurrency(2)
                .handle(ONE, (file, run) -> hold(file))
                .start();
        String id = jobs.enqueue(ONE, "a").id();
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> site.json("/api/v1/runners").path(0).path("jobs").size() == 1);
        JsonNode job = site.json("/api/v1/runners").get(0).path("jobs").get(0);
        assertThat(job.path("id").asText()).isEqualTo(id);
        assertThat(job.path("attempt").asInt()).isEqualTo(1);
        assertThat(site.text("/runners")).contains(id + "</a> for ", "Cancel " + id);
        site.close();
        site = Site.of(Dashboard.builder()
                .storage("main", jono)
                .access((user, operation, target) -> !target.equals("resize"))
                .build());
        assertThat(site.json("/api/v1/runners").get(0).path("jobs"))
                .as("of a hidden type")
                .isEmpty();
        assertThat(site.text("/runners")).doesNotContain(id);
        mayEnd.countDown();
    }

    @Test
    void metricsAreThereIfTheApplicationWritesThem() {
        assertThat(site.get("/metrics").statusCode()).isEqualTo(404);
        site.close();
        site = Site.of(Dashboard.builder()
                .storage("main", jono)
                .metrics(() -> "jono_messages_pushed_total 7.0\n")
                .access((user, operation, target) -> operation != Operation.PUSH)
                .build());
        HttpResponse<String> metrics = site.get("/metrics");
        assertThat(metrics.body()).isEqualTo("jono_messages_pushed_total 7.0\n");
        assertThat(metrics.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        site.close();
        site = Site.of(Dashboard.builder()
                .storage("main", jono)
                .metrics(() -> "")
                .access((user, operation, target) -> false)
                .build());
        assertThat(site.get("/metrics").statusCode()).isEqualTo(403);
    }
}
