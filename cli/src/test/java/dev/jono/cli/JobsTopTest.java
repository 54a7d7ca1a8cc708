package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Progress of jobs on a terminal and elsewhere, and {@code jono jobs top}. */
class JobsTopTest {
    private static final JobType<Integer, Void> RESIZE = JobType.of("resize", Integer.class);
    private static final JobType<Integer, Void> MAIL = JobType.of("mail", Integer.class);
    private static final String HALF = "[=========>          ]  45 % (9 of 20)";

    private final String url;
    private final QueueFactory jono;
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private String running = "";

    JobsTopTest(@TempDir Path directory) {
        this.url = "sqlite:" + directory.resolve("q.db");
        this.jono = QueueFactory.connect(url);
    }

    /** One job is running, and has done 45 %; one waits for a runner of its type. */
    @BeforeEach
    void startJobs() {
        Jobs jobs = Jobs.on(jono);
        JobRunner runner = jobs.runner()
                .name("a\u001b[31mrunner")
                .handle(RESIZE, (number, run) -> {
                    run.progress(9, 20);
                    mayEnd.await();
                    return null;
                })
                .start();
        running = jobs.enqueue(RESIZE, 1).id();
        jobs.enqueue(MAIL, 2);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> runner.status().running() == 1
                        && jobs.get(running).orElseThrow().progress().isPresent()
                        && jobs.runners().size() == 1);
    }

    @AfterEach
    void stopJobs() {
        mayEnd.countDown();
        jono.close();
    }

    private static Jono.Run onTerminal(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Io io = new Io(
                new ByteArrayInputStream(new byte[0]),
                out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                true,
                true);
        int code = Main.run(io, args);
        return new Jono.Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static List<String> rows(String text, String begin) {
        return text.lines().filter(line -> line.startsWith(begin)).toList();
    }

    @Test
    void plainFramesShowTypesRunningJobsAndRunners() {
        Jono.Run run =
                Jono.run("jobs", "top", url, "-n", "2", "--interval", "100ms").ended(Exit.DONE);
        assertThat(run.out()).doesNotContain("\u001b");
        assertThat(rows(run.out(), "TYPE ")).hasSize(2);
        List<String> mails = rows(run.out(), "mail ");
        assertThat(mails.get(0)).as("nobody handles it").matches("mail +1 +0 +0 +0 +0 +0 +- +none");
        assertThat(mails.get(1)).matches("mail +1 +0 +0 +0 +0 +0 +0\\.0 +none");
        assertThat(rows(run.out(), "resize ").get(0)).matches("resize +0 +0 +0 +1 +0 +0 +- +1");
        assertThat(rows(run.out(), running))
                .hasSize(2)
                .allSatisfy(row -> assertThat(row).endsWith("1 " + HALF));
        assertThat(rows(run.out(), "a?[31mrunner").get(0)).matches("\\S+ +running +[01]/1 +resize");
    }

    @Test
    void rateCountsWhatHasEnded() {
        Jono.Run run = Jono.run("jobs", "top", url, "-n", "1");
        assertThat(rows(run.out(), "resize ").get(0)).matches("resize +0 +0 +0 +1 +0 +0 +- +1");
        JobsFrame before = frame(2_000_000_000L);
        mayEnd.countDown();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Map.of(JobState.SUCCEEDED, 1L)
                        .equals(Jobs.on(jono).counts().get("resize")));
        assertThat(rows(String.join("\n", frame(4_000_000_000L).lines(before)), "resize ")
                        .get(0))
                .matches("resize +0 +0 +0 +0 +0 +1 +0\\.5 +1");
    }

    private JobsFrame frame(long nanos) {
        Jobs jobs = Jobs.on(jono);
        return new JobsFrame(nanos, jobs.counts(), List.of(), jobs.runners());
    }

    @Test
    void longFramesAreCutForATerminal() {
        Jobs jobs = Jobs.on(jono);
        for (int i = 0; i < 9; i++) {
            jobs.enqueue(JobType.of("type" + i, Integer.class), 1);
        }
        List<String> lines = frame(0).lines(null, new Screen.Size(14, 30));
        assertThat(lines)
                .hasSizeLessThanOrEqualTo(14)
                .contains("RUNNER                           STATE".substring(0, 30));
        assertThat(lines).anyMatch(line -> line.matches("\\.\\.\\. and \\d+ more"));
        assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(30));
    }

    @Test
    void terminalShowsFramesInPlaceAndIsRestored() {
        String out = onTerminal("jobs", "top", url, "-n", "2", "--interval", "100ms")
                .ended(Exit.DONE)
                .out();
        assertThat(out).startsWith("\u001b[?1049h\u001b[?25l\u001b[HTYPE ");
        String[] parts = out.split("\u001b\\[\\?25h\u001b\\[\\?1049l", -1);
        assertThat(parts).as("before and after the end").hasSize(2);
        assertThat(parts[0].split("\u001b\\[H", -1)).as("frames").hasSize(3);
        assertThat(parts[1]).startsWith("TYPE ").doesNotContain("\u001b");
    }

    @Test
    void signalEndsItInOrder() throws Exception {
        Process top = Jono.child("jobs", "top", url, "--interval", "100ms").start();
        BufferedReader out = new BufferedReader(new InputStreamReader(top.getInputStream(), StandardCharsets.UTF_8));
        assertThat(out.readLine()).startsWith("TYPE ");
        top.toHandle().destroy();
        while (out.readLine() != null) {
            // a full pipe would hold it up
        }
        assertThat(top.onExit().get().exitValue()).isEqualTo(Exit.DONE);
    }

    @Test
    void listsShowBarsOfRunningJobsOnATerminalOnly() {
        String line = running + "  " + HALF;
        for (List<String> args : List.of(List.of("jobs", "ls", url), List.of("jobs", "show", url, running))) {
            String[] words = args.toArray(String[]::new);
            assertThat(onTerminal(words).ended(Exit.DONE).err()).isEqualTo(line + System.lineSeparator());
            Jono.Run plain = Jono.run(words).ended(Exit.DONE);
            assertThat(plain.err()).isEmpty();
            assertThat(plain.json().stream()
                            .filter(job -> job.has("progress"))
                            .map(job -> job.get("progress").get("percent").intValue()))
                    .containsExactly(45);
        }
    }

    @Test
    void waitShowsTheProgressMeanwhile() {
        Jono.Run timeout =
                onTerminal("jobs", "wait", url, running, "--timeout", "4s").ended(Exit.NOTHING);
        assertThat(timeout.err()).contains("\r\u001b[K" + running + " is running  " + HALF);
        assertThat(timeout.err()).endsWith(System.lineSeparator());
        mayEnd.countDown();
        assertThat(onTerminal("jobs", "wait", url, running, "--timeout", "60s")
                        .ended(Exit.DONE)
                        .one()
                        .get("id")
                        .textValue())
                .isEqualTo(running);
    }

    @Test
    void wrongUseIsTold() {
        assertThat(Jono.run("jobs", "top", url, "-n", "0").ended(Exit.USAGE).err())
                .contains("-n must be at least 1");
        assertThat(Jono.run("jobs", "top", url, "--interval", "10ms")
                        .ended(Exit.USAGE)
                        .err())
                .contains("at least 100ms");
    }
}
