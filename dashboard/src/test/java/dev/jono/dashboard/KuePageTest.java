package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kue's own page, from the npm package, in a browser: its scripts show and change jobs of Jono. */
@Tag("browser")
class KuePageTest extends DashboardCase {
    private static final JobType<Object, Void> BROKEN =
            JobType.of("broken", Object.class).maxAttempts(1);

    private static KueInstallation kue;
    private static Browser browser;

    @BeforeAll
    static void start() {
        kue = KueInstallation.require();
        browser = Browser.start();
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    /** Serves the page and its files beside the routes, as a proxy would. */
    private static final class PageFiles extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private static final Map<String, String> TYPES = Map.of(
                "js", "text/javascript", "css", "text/css", "jpg", "image/jpeg", "html", "text/html; charset=utf-8");

        private final transient Path folder;
        private final String page;

        PageFiles(Path folder, String page) {
            this.folder = folder;
            this.page = page;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String path = request.getRequestURI().replaceFirst(".*/kue/", "");
            boolean isPage = !path.contains("/");
            response.setContentType(TYPES.get(isPage ? "html" : path.substring(path.lastIndexOf('.') + 1)));
            response.getOutputStream()
                    .write(isPage ? page.getBytes(StandardCharsets.UTF_8) : Files.readAllBytes(folder.resolve(path)));
        }
    }

    private void openPage() {
        site.close();
        String page = kue.page("inactive", List.of("broken", "mail"));
        site = Site.of(Dashboard.builder().storage("main", jono).kueUnsafeGet().build(), context -> {
            ServletHolder files = new ServletHolder(new PageFiles(kue.files(), page));
            for (String path : List.of("inactive", "javascripts/*", "stylesheets/*", "images/*")) {
                context.addServlet(files, "/jono/kue/" + path);
            }
        });
        site.json("POST", "/kue/job", """
                [{"type": "mail", "data": {"title": "first", "to": "ada"}, "options": {"searchKeys": "to"}},
                 {"type": "mail", "data": {"title": "second"}},
                 {"type": "mail", "data": {"title": "third"}, "options": {"delay": 3600000}},
                 {"type": "broken", "data": {"title": "fourth"}},
                 {"type": "work", "data": {"title": "fifth"}}]""");
        browser.open(site.url("/kue/inactive"));
    }

    private JobView job(long number) {
        return jobs.get(jobs.numbers().job(number).orElseThrow()).orElseThrow();
    }

    /** Numbers can be some seconds old. */
    private void awaitText(String css, String text) {
        Awaitility.await(css + " to be " + text)
                .atMost(Duration.ofSeconds(40))
                .until(() -> browser.run("return $(arguments[0]).text()", css)
                        .toString()
                        .contains(text));
    }

    /** Chooses from the list that a click on a value of a job opens. */
    private static void choose(String value, String option) {
        browser.run("$(arguments[0]).click()", value);
        browser.run("$(arguments[0]).val(arguments[1]).change()", value.replaceFirst(" .*", " select"), option);
    }

    private static void show(String state) {
        browser.run("$('li." + state + " a').click()");
    }

    @Test
    void pageShowsAndChangesJobs() {
        openPage();
        awaitText("li.inactive .count", "4");
        awaitText("li.delayed .count", "1");
        awaitText("#job-1 .title", "first");
        awaitText("#job-2 .title", "second");
        choose("#job-1 .priority", "-15");
        browser.await("the priority", () -> job(1).priority() == JobPriority.CRITICAL);

        browser.run("$('#search').val('ada').keyup()");
        browser.await(
                "the hits",
                () -> browser.run("return $('#job-1').is(':visible') && !$('#job-2').is(':visible')")
                        .equals("true"));
        browser.run("$('#search').val('').keyup()");

        browser.run("$('#job-2 .remove').click()");
        browser.await(
                "the removal",
                () -> jobs.get(jobs.numbers().job(2).orElseThrow()).isEmpty());
        awaitText("li.inactive .count", "3");

        show("delayed");
        awaitText("#job-3 .title", "third");
        choose("#job-3 .state", "inactive");
        browser.await("the start", () -> job(3).state() == JobState.WAITING);
        awaitText("li.delayed .count", "0");
    }

    @Test
    void pageShowsFailuresAndLogsAndRestartsJobs() {
        openPage();
        JobRunner runner = jobs.runner()
                .handle(BROKEN, (data, run) -> {
                    throw new IllegalStateException("no disk");
                })
                .handle(JobType.of("work", Object.class), (data, run) -> {
                    run.log("page {}", 1);
                    return null;
                })
                .start();
        browser.await("the ends", () -> job(4).state() == JobState.FAILED && job(5).state() == JobState.SUCCEEDED);
        runner.stop(Duration.ofSeconds(10));
        awaitText("li.failed .count", "1");
        show("failed");
        awaitText("#job-4 .errorMessage", "no disk");
        awaitText("#job-4 .attempts", "1/1");
        browser.run("$('#job-4 .restart').click()");
        browser.await("the restart", () -> job(4).state() == JobState.WAITING);

        show("complete");
        awaitText("#job-5 .title", "fifth");
        browser.run("$('#job-5 .contents').click()");
        awaitText("#job-5 .log", "page 1");

        browser.run("$('#filter').val('mail').change()");
        show("inactive");
        browser.await("the filter", () -> browser.has("#job-1") && !browser.has("#job-4"));
        assertThat(browser.errors())
                .filteredOn(error -> error.contains("/kue/"))
                .isEmpty();
    }
}
