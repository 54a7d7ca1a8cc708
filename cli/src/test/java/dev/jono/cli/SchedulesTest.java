package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulesTest {
    @TempDir
    private Path directory;

    private String url() {
        return "sqlite:" + directory.resolve("q.db");
    }

    private Jono.Run jono(String command, String subcommand, String... more) {
        List<String> args = new ArrayList<>(List.of(command, subcommand, url()));
        args.addAll(Arrays.asList(more));
        return Jono.run(args.toArray(String[]::new));
    }

    private Jono.Run schedules(String subcommand, String... more) {
        return jono("schedules", subcommand, more);
    }

    private Jono.Run set(String name, String cron, String... more) {
        List<String> args = new ArrayList<>(List.of(name, cron, "{\"n\": 1}", "--type", "report", "--zone", "UTC"));
        args.addAll(Arrays.asList(more));
        return schedules("set", args.toArray(String[]::new));
    }

    @Test
    void scheduleIsSetListedAndRemoved() {
        JsonNode set = set("yearly", "0 0 1 1 *", "--priority", "high", "--tag", "eu", "--skip-missed")
                .ended(Exit.DONE)
                .one();
        assertThat(set.get("name").textValue()).isEqualTo("yearly");
        assertThat(set.get("cron").textValue()).isEqualTo("0 0 1 1 *");
        assertThat(set.get("zone").textValue()).isEqualTo("UTC");
        assertThat(set.get("type").textValue()).isEqualTo("report");
        assertThat(set.get("payload").get("n").intValue()).isEqualTo(1);
        assertThat(set.get("priority").textValue()).isEqualTo("high");
        assertThat(set.get("tags").get(0).textValue()).isEqualTo("eu");
        assertThat(set.get("missedAfter").textValue()).isEqualTo("1m");
        assertThat(set.get("skipMissed").booleanValue()).isTrue();
        assertThat(Instant.parse(set.get("next").textValue())).isAfter(Instant.now());
        set("nightly", "0 2 * * *").ended(Exit.DONE);
        List<JsonNode> all = schedules("ls").ended(Exit.DONE).json();
        assertThat(all).extracting(schedule -> schedule.get("name").textValue()).containsExactly("nightly", "yearly");
        assertThat(all.get(1)).isEqualTo(set);
        schedules("rm", "yearly", "nightly").ended(Exit.DONE);
        schedules("ls").ended(Exit.NOTHING);
        assertThat(schedules("rm", "yearly").ended(Exit.NOTHING).err()).contains("no schedule 'yearly'");
    }

    @Test
    void scheduleIsPausedResumedAndRunNow() {
        set("yearly", "0 0 1 1 *").ended(Exit.DONE);
        assertThat(schedules("pause", "yearly", "other").ended(Exit.ERROR).one().toString())
                .isEqualTo("{\"name\":\"yearly\",\"result\":\"paused\"}");
        JsonNode paused = schedules("ls").one();
        assertThat(paused.get("paused").booleanValue()).isTrue();
        assertThat(paused.has("next")).isFalse();
        String id = schedules("run", "yearly").ended(Exit.DONE).one().get("id").textValue();
        JsonNode job = jono("jobs", "show", id).ended(Exit.DONE).one();
        assertThat(job.get("payload").get("n").intValue()).isEqualTo(1);
        assertThat(job.get("tags").get(0).textValue()).isEqualTo("schedule:yearly");
        schedules("resume", "yearly").ended(Exit.DONE);
        assertThat(schedules("ls").one().has("next")).isTrue();
    }

    @Test
    void runnerOfAnyTypeEnqueuesTheJobs() throws Exception {
        set("tick", "* * * * * *").ended(Exit.DONE);
        Process work = Jono.child("jobs", "work", url(), "--type", "other", "--exec", "true")
                .redirectErrorStream(true)
                .start();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(jono("jobs", "ls", "report", "--tag", "schedule:tick")
                                .json())
                        .hasSizeGreaterThan(1));
        assertThat(work.toHandle().destroy()).isTrue();
        work.onExit().get();
    }

    @Test
    void wrongUseIsTold() {
        assertThat(set("tick", "61 * * * *").ended(Exit.USAGE).err()).contains("'61 * * * *'", "61");
        assertThat(set("no name!", "* * * * *").ended(Exit.USAGE).err()).contains("no name!");
        assertThat(set("tick", "* * * * *", "--tag", "a,b").ended(Exit.USAGE).err())
                .contains("a,b");
        assertThat(schedules("set", "tick", "* * * * *", "1", "--type", "report")
                        .ended(Exit.USAGE)
                        .err())
                .contains("--zone");
        assertThat(schedules("set", "tick", "* * * * *", "1", "--type", "report", "--zone", "Europe/Bonn")
                        .ended(Exit.USAGE)
                        .err())
                .contains("Europe/Bonn");
        assertThat(schedules("run", "no name!").ended(Exit.USAGE).err()).contains("no name!");
        assertThat(Jono.run("schedules").ended(Exit.USAGE).err()).contains("a command is missing");
    }
}
