package dev.jono.examples.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import dev.jono.testkit.ChildJvm;
import dev.jono.testkit.server.MongoReplicaSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogPipelineTest {
    private static final Backoff SOON = Backoff.exponential(Duration.ofMillis(10), 2, Duration.ofMillis(100), 0);

    @TempDir
    Path directory;

    private static List<String> someLines() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            lines.add("10.0.0." + i + " /fine/" + i + " 200 12");
            lines.add("10.0.1." + i + " /slow/" + i + " 200 1500");
            lines.add("10.0.2." + i + " /error/" + i + " 503 2500");
        }
        for (int i = 0; i < 20; i++) {
            lines.add("# comment " + i);
            lines.add("10.0.3." + i + " broken " + i);
        }
        Collections.shuffle(lines, new Random(1));
        return lines;
    }

    private String storage(String type) {
        return switch (type) {
            case "memory:" -> type;
            case "pl-mongo:" -> {
                String uri = MongoReplicaSet.sharedUri("jono_test_pipeline");
                yield type + uri + (uri.contains("?") ? "&" : "?") + "jono.one-database=true&jono.pipeline=log"
                        + UUID.randomUUID();
            }
            default -> type + directory.resolve("log.db");
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory:", "sqlite:", "pl-mongo:"})
    void everyLineLeavesInItsWay(String type) throws InterruptedException {
        String storage = storage(type);
        Map<String, Integer> asked = new ConcurrentHashMap<>();
        // Fails the first two lookups of every third address.
        Countries flaky = address -> asked.merge(address, 1, Integer::sum) <= 2 && address.endsWith("3")
                ? Optional.empty()
                : Optional.of("FI");
        Report report = new Report();
        List<String> lines = someLines();
        try (LogPipeline pipeline = new LogPipeline(storage, flaky, SOON, report)) {
            pipeline.add(lines);
            assertThat(report.await(lines.size(), 30, TimeUnit.SECONDS))
                    .as("all lines left; so far %s", report.counts())
                    .isTrue();
            await().until(() -> pipeline.waiting() == 0);
            assertThat(pipeline.rejected()).isEqualTo(20);
        }
        assertThat(report.counts())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("fine", 100, "slow", 100, "errors", 100, "dropped", 20, "rejected", 20));
        assertThat(asked)
                .allSatisfy((address, times) -> assertThat(times).as(address).isEqualTo(address.endsWith("3") ? 3 : 1));
    }

    /** Three processes, each with two workers per stage. The storage distributes the lines. */
    @ParameterizedTest
    @ValueSource(strings = {"sqlite:", "pl-mongo:"})
    void severalProcessesShareTheStages(String type) {
        String storage = storage(type);
        List<String> lines = someLines();
        List<ChildJvm> children = new ArrayList<>();
        try (QueueFactory jono = QueueFactory.connect(storage)) {
            for (int i = 0; i < 3; i++) {
                children.add(ChildJvm.start(LogPipelineChild.class, storage));
            }
            children.forEach(child -> child.await(
                    "the pipeline of a process to run", c -> c.lines().contains(LogPipelineChild.READY)));
            List<PushResult> pushed =
                    jono.queue(LogPipeline.LINES, Codec.string()).pushAll(lines);

            await().atMost(Duration.ofSeconds(50))
                    .until(() -> children.stream()
                                    .mapToInt(
                                            c -> c.lines(LogPipelineChild.LEFT).size())
                                    .sum()
                            >= lines.size());
            children.forEach(child -> child.send("stop"));
            children.forEach(child -> assertThat(child.join()).as("%s", child).isZero());
            List<String> left = children.stream()
                    .flatMap(child -> child.lines(LogPipelineChild.LEFT).stream())
                    .toList();
            assertThat(left)
                    .containsExactlyInAnyOrderElementsOf(
                            pushed.stream().map(PushResult::id).toList());
            assertThat(children)
                    .allSatisfy(child ->
                            assertThat(child.lines(LogPipelineChild.LEFT)).isNotEmpty());
            assertThat(jono.deadLetters().totalSize()).isEqualTo(20);
        } finally {
            children.forEach(ChildJvm::close);
        }
    }

    @Test
    void lineWhoseCountryNeverComesIsGivenUp() {
        Report report = new Report();
        try (LogPipeline pipeline =
                new LogPipeline("sqlite:" + directory.resolve("log.db"), address -> Optional.empty(), SOON, report)) {
            pipeline.add(List.of("10.0.0.1 / 200 1"));
            await().until(() -> pipeline.rejected() == 1);
            assertThat(pipeline.waiting()).isZero();
        }
        assertThat(report.counts()).isEmpty();
    }

    @Test
    void linesLeftByAProcessThatStoppedAreDoneByTheNext() throws InterruptedException {
        String storage = "sqlite:" + directory.resolve("log.db");
        List<String> lines = someLines();
        Report first = new Report();
        try (LogPipeline pipeline = new LogPipeline(storage, address -> Optional.empty(), Backoff.standard(), first)) {
            pipeline.add(lines);
            // All lookups of countries fail, so parsed lines pile up in front of that stage.
            await().until(() -> first.counts().getOrDefault("dropped", 0) == 20
                    && first.counts().getOrDefault("rejected", 0) == 20);
        }
        Report second = new Report();
        try (LogPipeline pipeline = new LogPipeline(storage, Countries.byHash(), SOON, second)) {
            assertThat(second.await(300, 30, TimeUnit.SECONDS)).isTrue();
            await().until(() -> pipeline.waiting() == 0);
        }
        assertThat(second.counts()).isEqualTo(Map.of("fine", 100, "slow", 100, "errors", 100));
    }

    @Test
    void mainSortsAFile() throws Exception {
        Path file = Files.write(directory.resolve("access.log"), someLines());
        LogPipeline.main(new String[] {"sqlite:" + directory.resolve("log.db"), file.toString()});
        Report nothing = new Report();
        try (LogPipeline pipeline =
                new LogPipeline("sqlite:" + directory.resolve("log.db"), Countries.byHash(), SOON, nothing)) {
            await().until(() -> pipeline.waiting() == 0);
            assertThat(pipeline.rejected()).isEqualTo(20);
        }
    }
}
