package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.PushOptions;
import dev.jono.dashboard.internal.http.UrlText;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pages in a browser: each screen, the actions on it, live updates, and for everybody. */
@Tag("browser")
class BrowserTest extends DashboardCase {
    private static final JobType<String, Void> MAIL =
            JobType.of("mail", String.class).maxAttempts(1);

    private static Browser browser;

    @BeforeAll
    static void startBrowser() {
        browser = Browser.start();
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    private void open(String path) {
        browser.open(site.url(path));
    }

    /** Queues and jobs in many states; the job that is returned runs until the latch is counted down. */
    private String shop(CountDownLatch end) throws InterruptedException {
        for (int i = 1; i <= 12; i++) {
            raw("orders").push(jsonPayload("{\"id\": " + i + ", \"item\": \"lamp\"}"));
        }
        raw("orders").push(jsonPayload("{\"id\": 13}"), PushOptions.delay(Duration.ofHours(2)));
        raw("invoices").push(jsonPayload("{\"order\": 7, \"total\": \"19.90\"}"));
        raw("invoices").pause();
        raw("orders").reserve(Duration.ZERO).orElseThrow().reject("no such customer");
        jobs.schedule("nightly-import", "30 2 * * *", ZoneId.of("Europe/Helsinki"), RESIZE, "all");
        jobs.batch("catalogue-2026").enqueueAll(RESIZE, List.of("a.png", "b.png"), o -> o.tag("catalogue"));
        jobs.enqueue(MAIL, "ada@example.org", o -> o.delay(Duration.ofHours(1)));
        String failed = jobs.enqueue(MAIL, "nobody@example.org").id();
        String running =
                jobs.enqueue(JobType.of("video", String.class), "talk.mp4").id();
        JobRunner runner = jobs.runner()
                .name("worker-1")
                .concurrency(4)
                .handle(RESIZE, (file, run) -> "small-" + file)
                .handle(MAIL, (to, run) -> {
                    throw new IllegalStateException("no such mailbox: " + to);
                })
                .handle(JobType.of("video", String.class), (file, run) -> {
                    run.progress(42, 100);
                    run.log("decoded {} frames of {}", 1260, file);
                    end.await();
                    return null;
                })
                .start();
        assertThat(runner).isNotNull();
        Awaitility.await()
                .until(() -> jobs.get(failed).orElseThrow().state() == JobState.FAILED
                        && jobs.get(running).orElseThrow().progress().isPresent());
        return running;
    }

    private Map<String, String> screens(String running) {
        Map<String, String> screens = new LinkedHashMap<>();
        screens.put("overview", "/");
        screens.put("queues", "/queues");
        screens.put("queue", "/queues/orders");
        screens.put(
                "message",
                "/queues/orders/messages/"
                        + raw("orders").browse(null, 1).get(0).id());
        screens.put("dead-letters", "/dead-letters");
        screens.put("types", "/jobs");
        screens.put("jobs", "/jobs?type=mail");
        screens.put("job", "/jobs/" + running);
        screens.put("schedules", "/schedules");
        screens.put("batches", "/batches");
        screens.put("runners", "/runners");
        screens.put("not-found", "/queues/none");
        return screens;
    }

    /** The pictures of the documentation are made by this test: {@code -Djono.screenshots=FOLDER} says where they go. */
    @Test
    void screensWorkForEverybodyInLightAndDarkAndOnAPhone() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Path pictures = Path.of(System.getProperty("jono.screenshots", "target/screenshots"));
        Map<String, String> screens = screens(shop(end));
        for (boolean dark : new boolean[] {false, true}) {
            browser.dark(dark);
            screens.forEach((name, path) -> {
                open(path);
                assertThat(browser.seriousProblems())
                        .as(name + (dark ? ", dark" : ""))
                        .isEmpty();
                if (List.of("overview", "queue", "jobs", "job").contains(name)) {
                    browser.await("the chart", () -> !name.equals("overview") || browser.has("#chart canvas"));
                    browser.screenshot(pictures.resolve(name + (dark ? "-dark" : "-light") + ".png"));
                }
            });
        }
        browser.dark(false);
        browser.phone();
        screens.forEach((name, path) -> {
            open(path);
            assertThat(browser.run("return document.documentElement.scrollWidth <= window.innerWidth"))
                    .as(name + " on a phone")
                    .isEqualTo("true");
            assertThat(browser.seriousProblems()).as(name + " on a phone").isEmpty();
        });
        open("/jobs?type=mail");
        browser.screenshot(pictures.resolve("jobs-phone.png"));
        browser.desktop();
        end.countDown();
    }

    @Test
    void numbersAndListsAreLive() {
        raw("orders").push(jsonPayload("1"));
        open("/queues/orders");
        assertThat(browser.text("[data-value=ready]")).isEqualTo("1");
        raw("orders").push(jsonPayload("2"));
        browser.await("the number", () -> browser.text("[data-value=ready]").equals("2"));
        browser.await(
                "the list",
                () -> browser.run("return document.querySelectorAll('#list tbody tr').length")
                        .equals("2"));
        raw("orders").pause();
        browser.await("the pause", () -> browser.text("#actions").contains("Resume"));
    }

    @Test
    void progressOfAJobIsLive() {
        CountDownLatch half = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        String id = jobs.enqueue(RESIZE, "a.png").id();
        open("/jobs/" + id);
        assertThat(browser.text("#facts")).contains("waiting");
        jobs.runner()
                .handle(RESIZE, (file, run) -> {
                    run.progress(1, 4);
                    half.await();
                    run.progress(3, 4);
                    run.log("nearly done");
                    end.await();
                    return "small";
                })
                .start();
        browser.await("25 %", () -> browser.text("[data-progress]").startsWith("25 %"));
        half.countDown();
        browser.await("75 %", () -> browser.text("[data-progress]").startsWith("75 %"));
        browser.await("the log", () -> browser.text("#lines").contains("nearly done"));
        end.countDown();
        browser.await("the result", () -> browser.text("#outcome").contains("small"));
        assertThat(browser.text("#facts")).contains("succeeded");
    }

    @Test
    void formsPushAMessageAndRemoveIt() {
        raw("orders").push(jsonPayload("1"));
        open("/queues/orders");
        browser.press("Push a message");
        browser.type("textarea[name=payload]", "{\"id\": 7}");
        browser.press("Push");
        browser.await("the push", () -> browser.text(".done").equals("Message pushed."));
        browser.click("#list tbody tr:nth-child(2) a");
        assertThat(browser.text("pre")).contains("\"id\" : 7");
        browser.press("Remove");
        browser.await("the removal", () -> browser.text(".done").equals("Removed."));
        assertThat(raw("orders").totalSize()).isEqualTo(1);
    }

    @Test
    void chosenJobsAreCancelled() {
        jobs.enqueueAll(RESIZE, List.of("a", "b", "c"), o -> o.delay(Duration.ofHours(1)));
        open("/jobs?type=resize");
        browser.click("#list tbody tr:nth-child(1) input");
        browser.click("#list tbody tr:nth-child(3) input");
        browser.run("document.querySelector('select[name=action]').value = 'cancel'");
        browser.press("Change");
        browser.await("the change", () -> browser.text(".done").equals("2 jobs changed."));
        assertThat(jobs.counts("resize")).containsEntry(JobState.CANCELLED, 2L);
    }

    /** A script in a payload does not run, and nothing is loaded from elsewhere. */
    @Test
    void hostilePayloadDoesNothing() {
        raw("<b>".replaceAll("[<>]", "#"))
                .push(textPayload(
                        "<script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">"));
        open("/queues/" + UrlText.segment("#b#"));
        assertThat(browser.run("return document.title")).isEqualTo("Queue #b# – Jono");
        assertThat(
                        browser.run(
                                "return performance.getEntriesByType('resource').every(r => r.name.startsWith(location.origin))"))
                .isEqualTo("true");
        assertThat(browser.text("#list")).contains("<script>");
    }
}
