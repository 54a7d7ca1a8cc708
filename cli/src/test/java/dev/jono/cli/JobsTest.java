package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobsTest {
    @TempDir
    private Path directory;

    private String url() {
        return "sqlite:" + directory.resolve("q.db");
    }

    /** Runs {@code jono jobs COMMAND URL …}. */
    private Jono.Run jobs(String command, String... more) {
        List<String> args = new ArrayList<>(List.of("jobs", command, url()));
        args.addAll(Arrays.asList(more));
        return Jono.run(args.toArray(String[]::new));
    }

    private String enqueued(String... more) {
        return jobs("enqueue", more).ended(Exit.DONE).one().get("id").textValue();
    }

    private JsonNode shown(String id) {
        return jobs("show", id).ended(Exit.DONE).one();
    }

    private void awaitState(String id, String state) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(shown(id).get("state").textValue()).isEqualTo(state));
    }

    private Process work(String command, String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of("jobs", "work", url(), "--type", "resize", "--exec", command));
        args.addAll(Arrays.asList(more));
        return Jono.child(args.toArray(String[]::new)).redirectErrorStream(true).start();
    }

    private static String stopped(Process work) throws Exception {
        assertThat(work.toHandle().destroy()).isTrue();
        assertThat(work.onExit().get().exitValue()).isEqualTo(Exit.DONE);
        return new String(work.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void commandReportsProgressLogAndResult() throws Exception {
        String id = enqueued("resize", "{\"file\": \"a.png\"}", "--priority", "high", "--tag", "eu");
        assertThat(shown(id).get("state").textValue()).isEqualTo("waiting");

        Process work = work("echo ::progress 1 2; echo decoding; echo ::progress 2 2; sed 's/^/::result /'");
        Jono.Run waited = jobs("wait", id, "--timeout", "60s").ended(Exit.DONE);
        assertThat(waited.one().get("result").get("file").textValue()).isEqualTo("a.png");
        assertThat(stopped(work)).contains("1 succeeded, 0 failed");

        List<JsonNode> lines = jobs("show", id, "--log").ended(Exit.DONE).json();
        JsonNode job = lines.get(0);
        assertThat(job.get("state").textValue()).isEqualTo("succeeded");
        assertThat(job.get("priority").textValue()).isEqualTo("high");
        assertThat(job.get("tags").get(0).textValue()).isEqualTo("eu");
        assertThat(job.get("progress").get("done").intValue()).isEqualTo(2);
        assertThat(job.get("attempts").get(0).get("number").intValue()).isEqualTo(1);
        assertThat(lines.get(1).get("text").textValue()).isEqualTo("decoding");
    }

    @Test
    void jobsOfAKeyRunInTheirOrderWithinTheLimits() throws Exception {
        String first = enqueued("resize", "1", "--key", "a");
        String second = enqueued("resize", "2", "--key", "a");
        assertThat(shown(second).get("key").textValue()).isEqualTo("a");
        assertThat(jobs("ls", "--key", "a").json().stream()
                        .map(job -> job.get("id").textValue()))
                .containsExactly(first, second);
        Process work = work("sleep 0.1", "--keyed", "--limit", "2", "--rate", "100/1s", "--concurrency", "4");
        awaitState(second, "succeeded");
        stopped(work);
        Instant end = Instant.parse(shown(first).get("endedAt").textValue());
        JsonNode run = shown(second).get("attempts").get(0);
        assertThat(Instant.parse(run.get("start").textValue())).isAfterOrEqualTo(end.minusMillis(1));
        jobs("enqueue", "resize", "1", "--key", "a", "--priority", "high").ended(Exit.USAGE);
    }

    @Test
    void jobStartsAfterAnother() throws Exception {
        String mail = enqueued("mail", "1");
        String resize = enqueued("resize", "2", "--after", mail);
        Process work = work("cat");
        awaitState(resize, "blocked");
        jobs("remove", mail).ended(Exit.DONE);
        awaitState(resize, "succeeded");
        stopped(work);
        jobs("enqueue", "resize", "3", "--after", "mail").ended(Exit.USAGE);
    }

    @Test
    void failedJobIsRetriedByHand() throws Exception {
        String id = enqueued("resize", "1");
        Process failing = work("echo ::fail no disk");
        awaitState(id, "failed");
        stopped(failing);
        assertThat(shown(id).get("reason").textValue()).contains("no disk");
        jobs("wait", id, "--timeout", "0s").ended(Exit.ERROR);
        assertThat(jobs("ls", "resize", "--state", "failed").one().get("id").textValue())
                .isEqualTo(id);

        jobs("retry", id).ended(Exit.DONE);
        Process work = work("test $JONO_JOB_ID = " + id);
        awaitState(id, "succeeded");
        stopped(work);
        jobs("retry", id).ended(Exit.NOTHING);
        assertThat(jobs("run", id).ended(Exit.NOTHING).err()).contains("job " + id + " was not made due");
        String again = jobs("rerun", id).one().get("id").textValue();
        assertThat(again).isNotEqualTo(id).startsWith("resize:");
    }

    @Test
    void failedAttemptIsNamedByItsJob() throws Exception {
        String id = enqueued("resize", "1");
        Process work = work("echo ::result no JSON", "--max-attempts", "2");
        awaitState(id, "failed");
        assertThat(stopped(work))
                .contains("job " + id + " failed at attempt 1: the result is not a JSON value")
                .doesNotContain("{jobs:", "--as", "CliException");
        assertThat(shown(id).get("reason").textValue()).startsWith("the result is not a JSON value: ");
    }

    @Test
    void exitCodeOfTheLastAttemptIsTheReason() throws Exception {
        String id = enqueued("resize", "1");
        Process work = work("exit 7", "--max-attempts", "1");
        awaitState(id, "failed");
        assertThat(stopped(work)).contains("0 succeeded, 1 failed").doesNotContain("\tat ");
        assertThat(shown(id).get("reason").textValue()).contains("exit code 7");
    }

    @Test
    void waitingJobsAreListedCountedAndChanged() {
        String first = enqueued("resize", "1");
        String later = enqueued("resize", "2", "--delay", "1h", "--tag", "eu");
        String mail = enqueued("mail", "3");
        assertThat(jobs("ls").json().stream().map(job -> job.get("id").textValue()))
                .containsExactly(mail, first, later);
        assertThat(jobs("ls", "resize", "--tag", "eu").one().get("state").textValue())
                .isEqualTo("scheduled");
        assertThat(jobs("ls", "-n", "1").json()).hasSize(1);
        jobs("run", later).ended(Exit.DONE);
        assertThat(shown(later).get("state").textValue()).isEqualTo("waiting");
        jobs("cancel", first, later, "--reason", "wrong file").ended(Exit.DONE);
        assertThat(shown(first).get("reason").textValue()).isEqualTo("wrong file");
        jobs("pause", "mail").ended(Exit.DONE);
        List<JsonNode> types = jobs("info").ended(Exit.DONE).json();
        assertThat(types.get(0).toString()).isEqualTo("{\"type\":\"mail\",\"waiting\":1,\"paused\":true}");
        assertThat(types.get(1).toString()).isEqualTo("{\"type\":\"resize\",\"cancelled\":2}");
        jobs("resume", "mail").ended(Exit.DONE);
        jobs("remove", first, later, mail).ended(Exit.DONE);
        jobs("ls").ended(Exit.NOTHING);
        jobs("show", first).ended(Exit.NOTHING);
        jobs("remove", first).ended(Exit.NOTHING);
    }

    @Test
    void selectedJobsAreChangedTogether() {
        String first = enqueued("resize", "1", "--tag", "eu");
        String later = enqueued("resize", "2", "--delay", "1h", "--tag", "eu");
        String other = enqueued("mail", "3");
        assertThat(jobs("run", "--tag", "eu").ended(Exit.DONE).one().toString())
                .isEqualTo("{\"jobs\":1,\"result\":\"due\"}");
        assertThat(shown(later).get("state").textValue()).isEqualTo("waiting");
        assertThat(changed("priority", "high", "--type", "resize")).isEqualTo(2);
        assertThat(shown(first).get("priority").textValue()).isEqualTo("high");
        assertThat(changed("cancel", "--type", "resize", "-n", "1")).isEqualTo(1);
        assertThat(changed("cancel", "--type", "resize", "--reason", "wrong file"))
                .isEqualTo(1);
        assertThat(changed("rerun", "--state", "cancelled")).isEqualTo(2);
        assertThat(changed("remove", "--type", "resize", "--state", "cancelled"))
                .isEqualTo(2);
        assertThat(jobs("info").json().stream().map(JsonNode::toString))
                .containsExactly("{\"type\":\"mail\",\"waiting\":1}", "{\"type\":\"resize\",\"waiting\":2}");
        assertThat(shown(other).get("state").textValue()).isEqualTo("waiting");
        assertThat(jobs("retry", "--type", "resize").ended(Exit.NOTHING).one().toString())
                .isEqualTo("{\"jobs\":0,\"result\":\"retried\"}");
    }

    @Test
    void changesNeedIdsOrASelectionAndNotBoth() {
        String id = enqueued("resize", "1");
        assertThat(jobs("remove").ended(Exit.USAGE).err()).contains("give ids, or select jobs with --type");
        assertThat(jobs("cancel", id, "--type", "resize").ended(Exit.USAGE).err())
                .contains("not both");
        assertThat(jobs("retry", "--type", "resize", "--state", "running")
                        .ended(Exit.USAGE)
                        .err())
                .contains("only failed jobs can be retried");
        jobs("remove", "--type", "resize", "-n", "0").ended(Exit.USAGE);
        assertThat(shown(id).get("state").textValue()).isEqualTo("waiting");
    }

    private int changed(String command, String... args) {
        return jobs(command, args).ended(Exit.DONE).one().get("jobs").intValue();
    }

    private Optional<JsonNode> runner(Process work) {
        return jobs("runners").json().stream()
                .filter(runner -> runner.get("pid").longValue() == work.pid())
                .findFirst();
    }

    private JsonNode awaitRunner(Process work) {
        return await().atMost(Duration.ofMinutes(2))
                .until(() -> runner(work), Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void runnersAreListedUntilTheyStopOrDie() throws Exception {
        enqueued("resize", "1");
        jobs("runners").ended(Exit.NOTHING);
        Process killed = work("cat", "--concurrency", "3");
        JsonNode first = awaitRunner(killed);
        assertThat(first.get("types").toString()).isEqualTo("[\"resize\"]");
        assertThat(first.get("state").textValue()).isEqualTo("running");
        assertThat(first.get("concurrency").intValue()).isEqualTo(3);
        assertThat(killed.destroyForcibly().waitFor()).isNotZero();
        await().atMost(Duration.ofMinutes(1)).until(() -> runner(killed).isEmpty());
        Process stopping = work("cat");
        awaitRunner(stopping);
        stopped(stopping);
        jobs("runners").ended(Exit.NOTHING);
    }

    @Test
    void prioritiesOfWaitingJobsAreChanged() {
        String now = enqueued("resize", "1");
        String later = enqueued("resize", "2", "--delay", "1h");
        String gone = enqueued("resize", "3");
        jobs("remove", gone).ended(Exit.DONE);
        Jono.Run changed = jobs("priority", "high", now, later, gone).ended(Exit.ERROR);
        assertThat(changed.json()).hasSize(2);
        assertThat(changed.err()).contains("job " + gone + " was not changed: it is running, has ended, or is gone");
        assertThat(shown(now).get("priority").textValue()).isEqualTo("high");
        assertThat(shown(later).get("priority").textValue()).isEqualTo("high");
        assertThat(shown(later).get("state").textValue()).isEqualTo("scheduled");
        assertThat(jobs("priority", "urgent", now).ended(Exit.USAGE).err()).contains("urgent");
        assertThat(jobs("priority", "low", "17").ended(Exit.USAGE).err()).contains("'17' is not the id of a job");
    }

    @Test
    void jobWithAnOrderingKeyKeepsItsPlace() {
        String id;
        try (QueueFactory jono = QueueFactory.connect(url())) {
            id = Jobs.on(jono)
                    .enqueue(JobType.of("resize", String.class).key(text -> "A-17"), "a")
                    .id();
        }
        assertThat(jobs("priority", "high", id).ended(Exit.NOTHING).err()).contains("ordering key 'A-17'");
    }

    @Test
    void uniqueJobIsEnqueuedOnce() {
        String id = enqueued("resize", "1", "--unique", "a.png");
        JsonNode second = jobs("enqueue", "resize", "1", "--unique", "a.png").one();
        assertThat(second.get("id").textValue()).isEqualTo(id);
        assertThat(second.get("duplicate").booleanValue()).isTrue();
    }

    @Test
    void duplicateReplacesThePayloadOfTheWaitingJob() throws Exception {
        String id = enqueued("resize", "1", "--unique", "a.png", "--unique-mode", "latest");
        JsonNode second = jobs("enqueue", "resize", "2", "--unique", "a.png", "--unique-mode", "latest")
                .one();
        assertThat(second.get("id").textValue()).isEqualTo(id);
        assertThat(second.get("duplicate").booleanValue()).isTrue();
        assertThat(shown(id).get("payload").intValue()).isEqualTo(2);
        assertThat(shown(id).get("key").textValue()).isEqualTo("a.png");
        Process work = work("sed 's/^/::result /'", "--keyed");
        awaitState(id, "succeeded");
        stopped(work);
        assertThat(shown(id).get("result").intValue()).isEqualTo(2);
        for (String[] wrong : new String[][] {
            {"--unique-mode", "latest"},
            {"--unique", "a", "--unique-mode", "newest"},
            {"--unique", "a", "--unique-mode", "latest", "--priority", "high"},
            {"--unique", "a", "--unique-mode", "latest", "--key", "b"}
        }) {
            List<String> args = new ArrayList<>(List.of("resize", "3"));
            args.addAll(List.of(wrong));
            jobs("enqueue", args.toArray(String[]::new)).ended(Exit.USAGE);
        }
    }

    @Test
    void jobThatDoesNotEndIsNotWaitedForForEver() {
        String id = enqueued("resize", "1");
        assertThat(jobs("wait", id, "--timeout", "100ms").ended(Exit.NOTHING).err())
                .contains(id);
        assertThat(jobs("wait", "resize:17").ended(Exit.NOTHING).err()).contains("there is no job resize:17");
    }

    @Test
    void wrongUseIsTold() {
        assertThat(jobs("show", "17").ended(Exit.USAGE).err()).contains("'17' is not the id of a job");
        assertThat(jobs("enqueue", "no type!", "1").ended(Exit.USAGE).err()).contains("no type!");
        assertThat(Jono.run("jobs").ended(Exit.USAGE).err()).contains("a command is missing");
    }
}
