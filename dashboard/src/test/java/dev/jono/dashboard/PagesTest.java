package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.QueueOptions;
import dev.jono.jobs.JobState;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages as a browser without JavaScript uses them. */
class PagesTest extends DashboardCase {
    private static final Pattern URL = Pattern.compile("(?:href|src|action)=\"([^\"]*)\"");

    @ParameterizedTest
    @ValueSource(strings = {"/", "/queues", "/dead-letters", "/jobs", "/schedules", "/batches", "/runners"})
    void pageOfAnEmptyStorageSaysSo(String path) {
        assertThat(site.text(path)).contains("<!DOCTYPE html>").contains("</html>");
    }

    /** Behind a proxy that changes the path, an absolute URL would lead nowhere. */
    @Test
    void allUrlsAreRelative() {
        raw("orders").push(jsonPayload("1"));
        String job = jobs.enqueue(RESIZE, "x").id();
        String message = raw("orders").browse(null, 1).get(0).id();
        for (String path : List.of(
                "/",
                "/queues",
                "/queues/orders",
                "/queues/orders/messages/" + message,
                "/jobs",
                "/jobs/" + job,
                "/none")) {
            Matcher url = URL.matcher(site.get(path).body());
            int found = 0;
            while (url.find()) {
                found++;
                assertThat(url.group(1)).as(path).doesNotStartWith("/").doesNotContain("://");
            }
            assertThat(found).as(path).isGreaterThan(5);
        }
    }

    @Test
    void linksOfAPageLeadToPages() {
        raw("orders").push(jsonPayload("1"));
        jobs.enqueue(RESIZE, "x");
        for (String path : List.of("/", "/queues", "/queues/orders", "/jobs", "/jobs?type=resize")) {
            Matcher url = Pattern.compile("href=\"([^\"#]*)\"").matcher(site.text(path));
            while (url.find()) {
                String target = URI.create(site.url(path))
                        .resolve(url.group(1).replace("&amp;", "&"))
                        .toString()
                        .substring(site.url("").length());
                assertThat(site.get(target).statusCode())
                        .as(path + " → " + target)
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void mountWithoutASlashLeadsToTheMount() {
        HttpResponse<String> answer = site.get("");
        assertThat(answer.statusCode()).isEqualTo(302);
        String location = answer.headers().firstValue("Location").orElseThrow();
        assertThat(URI.create(site.url("")).resolve(location).toString()).isEqualTo(site.url("/"));
    }

    @Test
    void formsPushPauseAndPurge() {
        HttpResponse<String> pushed = site.form(
                "/queues/orders/push",
                Map.of("payload", "{\"id\": 7}", "kind", "json", "delay", "", "key", "", "unique", ""));
        assertThat(pushed.statusCode()).isEqualTo(303);
        assertThat(follow("/queues/orders/push", pushed))
                .contains("Message pushed.")
                .contains(escaped("{\"id\":7}"));
        assertThat(follow("/queues/orders/pause", site.form("/queues/orders/pause", Map.of())))
                .contains("Paused.")
                .contains("Resume");
        assertThat(follow("/queues/orders/purge", site.form("/queues/orders/purge", Map.of())))
                .contains("1 messages removed.");
        assertThat(raw("orders").totalSize()).isZero();
    }

    @Test
    void emptyQueueIsResumedOnItsPage() {
        raw("orders").pause();
        assertThat(site.text("/queues/orders")).contains("Resume");
        assertThat(follow("/queues/orders/pause", site.form("/queues/orders/pause", Map.of())))
                .contains("Queue orders", "Paused.");
        assertThat(follow("/queues/orders/resume", site.form("/queues/orders/resume", Map.of())))
                .contains("Resumed.");
        assertThat(raw("orders").isPaused()).isFalse();
        assertThat(site.get("/queues/orders").statusCode()).isEqualTo(404);
    }

    private String follow(String path, HttpResponse<String> answer) {
        String location = answer.headers().firstValue("Location").orElseThrow();
        String target = URI.create(site.url(path)).resolve(location).toString();
        return site.text(target.substring(site.url("").length()));
    }

    @Test
    void formsChangeJobs() {
        List<String> ids = jobs.enqueueAll(RESIZE, List.of("a", "b", "c"), o -> o.delay(Duration.ofHours(1))).stream()
                .map(job -> job.id())
                .toList();
        site.form("/jobs/" + ids.get(0) + "/run", Map.of());
        assertThat(jobs.counts("resize")).containsEntry(JobState.WAITING, 1L);
        String path = "/jobs/change?type=resize&state=scheduled";
        String page = follow(
                path, site.form(path, Map.of("action", "cancel", "which", "all", "max", "10", "priority", "normal")));
        assertThat(page).contains("2 jobs changed.");
        assertThat(jobs.counts("resize")).containsEntry(JobState.CANCELLED, 2L);
        String chosen = follow(
                "/jobs/change?type=resize",
                site.form(
                        "/jobs/change?type=resize",
                        Map.of("action", "remove", "which", "chosen", "ids", ids.get(1), "priority", "low")));
        assertThat(chosen).contains("1 jobs changed.");
    }

    @Test
    void deadLettersShowTheirReason() throws InterruptedException {
        QueueOptions options =
                QueueOptions.builder().deadLetter(DeadLetter.after(3)).build();
        var orders = jono.queue("orders", Codec.raw(), options);
        orders.push(jsonPayload("1"));
        orders.reserve(Duration.ZERO).orElseThrow().reject("no such customer");
        String page = site.text("/dead-letters");
        assertThat(page).contains("no such customer").contains("rejected").contains("orders");
        String id = raw("__deadletter__").browse(null, 1).get(0).id();
        assertThat(site.text("/queues/__deadletter__/messages/" + id)).contains("Send back to orders");
        site.form("/queues/__deadletter__/messages/" + id + "/redrive", Map.of());
        assertThat(orders.size()).isEqualTo(1);
    }

    @Test
    void hostilePayloadStaysText() {
        String hostile = "<script>alert(1)</script>\u202egpj.exe\u0000</pre>";
        raw("orders").push(textPayload(hostile));
        raw("orders").push(textPayload("x".repeat(900_000)));
        String id = raw("orders").browse(null, 1).get(0).id();
        String page = site.text("/queues/orders/messages/" + id);
        assertThat(page)
                .doesNotContain("<script>alert")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
                .contains("\\u202e")
                .contains("\\u0000");
        assertThat(site.text("/queues/orders").length()).isLessThan(20_000);
        String large = raw("orders").browse(null, 2).get(1).id();
        assertThat(site.text("/queues/orders/messages/" + large))
                .contains("the beginning is shown", "Download")
                .hasSizeLessThan(40_000);
        assertThat(site.text("/api/v1/queues/orders/messages/" + large + "/payload"))
                .hasSize(900_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "..", ".", "a+b=c", "#x", "{a}b", "~", "a:b@c"})
    void queueOfAnyNameHasItsPage(String name) {
        raw(name).push(jsonPayload("1"));
        Matcher link = Pattern.compile("<a href=\"(queues/[^\"]*)\"").matcher(site.text("/queues"));
        assertThat(link.find()).isTrue();
        String path = "/" + link.group(1);
        assertThat(site.text(path)).contains("Queue " + escaped(name));
        assertThat(site.form(path + "/pause", Map.of()).statusCode()).isEqualTo(303);
        assertThat(raw(name).isPaused()).isTrue();
    }
}
