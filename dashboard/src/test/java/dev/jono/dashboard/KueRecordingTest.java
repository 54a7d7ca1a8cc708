package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * The routes of Kue answer what the real Kue has answered: {@code recording.json}, which {@code src/test/kue/record.js} writes. Status, keys,
 * types of values, ids and messages are compared.
 */
class KueRecordingTest extends DashboardCase {
    private static final JobType<Object, Object> WORK =
            JobType.of("work", Object.class).returning(Object.class);
    private static final JobType<Object, Void> BROKEN =
            JobType.of("broken", Object.class).maxAttempts(1);

    /** Where Jono cannot answer the same; the guide says so. */
    private static final Map<String, String> DIFFERENT =
            Map.of("GET /jobs/0..0", "the first job of all types: types come one after the other");

    /** What the runs of a job decide, and what is another text in each program. */
    private static final Set<String> FREE_TEXTS = Set.of("error", "workerId");

    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @Override
    Dashboard dashboard() {
        return Dashboard.builder().storage("main", jono).kueUnsafeGet().build();
    }

    private static JsonNode steps() {
        try (InputStream in = KueRecordingTest.class.getResourceAsStream("/kue/recording.json")) {
            return Site.parse(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8))
                    .path("steps");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void answersAreThoseOfKue() {
        int compared = 0;
        for (JsonNode step : steps()) {
            if (step.has("workers")) {
                work(step.path("workers").asText());
            } else if (!DIFFERENT.containsKey(name(step))) {
                compare(step);
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(70);
    }

    private static String name(JsonNode step) {
        return step.path("method").asText() + " " + step.path("path").asText();
    }

    private void compare(JsonNode step) {
        boolean looks = name(step).startsWith("GET /job") || name(step).startsWith("GET /stats");
        if (looks) {
            // Numbers can be some seconds old, and runners report every five seconds.
            Awaitility.await(name(step))
                    .atMost(Duration.ofSeconds(40))
                    .pollDelay(Duration.ZERO)
                    .untilAsserted(() -> assertThat(differences(step)).isEmpty());
        } else {
            assertThat(differences(step)).as(name(step)).isEmpty();
        }
    }

    private List<String> differences(JsonNode step) {
        HttpResponse<String> answer = site.send(
                step.path("method").asText(),
                "/kue" + step.path("path").asText(),
                step.has("body") ? "application/json" : "",
                step.has("body") ? step.path("body").toString() : "");
        List<String> differences = new ArrayList<>();
        if (answer.statusCode() != step.path("status").asInt()) {
            differences.add("status " + answer.statusCode() + ": " + answer.body());
        } else if (step.has("answer")) {
            differences("", step.path("answer"), Site.parse(answer.body()), differences);
        } else if (!answer.body().isEmpty()) {
            differences.add("a body: " + answer.body());
        }
        return differences;
    }

    private static void differences(String at, JsonNode kue, JsonNode jono, List<String> found) {
        if (kue.isObject() && jono.isObject()) {
            differencesOfObjects(at, kue, jono, found);
        } else if (kue.isArray() && jono.isArray() && kue.size() == jono.size()) {
            boolean types = kue.size() > 0 && kue.get(0).isTextual(); // a set in Redis
            List<JsonNode> expected = sorted(kue, types);
            List<JsonNode> actual = sorted(jono, types);
            for (int i = 0; i < expected.size(); i++) {
                differences(at + "/" + i, expected.get(i), actual.get(i), found);
            }
        } else if (!isSame(at.substring(at.lastIndexOf('/') + 1), kue, jono)) {
            found.add(at + ": " + kue + " was " + jono);
        }
    }

    private static List<JsonNode> sorted(JsonNode array, boolean sort) {
        List<JsonNode> items = new ArrayList<>();
        array.forEach(items::add);
        if (sort) {
            items.sort((a, b) -> a.asText().compareTo(b.asText()));
        }
        return items;
    }

    private static void differencesOfObjects(String at, JsonNode kue, JsonNode jono, List<String> found) {
        Set<String> names = new HashSet<>();
        kue.fieldNames().forEachRemaining(names::add);
        jono.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            // Kue keeps a delay that is over, and has no reason for a job that was set to failed.
            boolean optional = (name.equals("delay")
                            && !kue.path("state").asText().equals("delayed"))
                    || (name.equals("error") && kue.path("state").asText().equals("failed"));
            if (kue.has(name) && jono.has(name)) {
                differences(at + "/" + name, kue.get(name), jono.get(name), found);
            } else if (!optional) {
                found.add(at + "/" + name + ": " + kue.get(name) + " was " + jono.get(name));
            }
        }
    }

    private static boolean isSame(String name, JsonNode kue, JsonNode jono) {
        if (name.equals("workTime")) {
            return jono.isNull(); // as Kue says it before the first job has run
        }
        if (kue.getNodeType() != jono.getNodeType()) {
            return false;
        }
        boolean numbers = kue.asText().matches("\\d{2,}") && jono.asText().matches("\\d+"); // times
        boolean runs = Set.of("made", "max", "remaining").contains(name);
        boolean free = FREE_TEXTS.contains(name) && !kue.asText().startsWith("job ");
        return numbers || runs || free || kue.equals(jono);
    }

    private void work(String what) {
        switch (what) {
            case "begin" ->
                jobs.runner()
                        .handle(WORK, (data, run) -> {
                            run.log("page {}", 1);
                            run.progress(1, 2, Collections.singletonMap("page", 1));
                            mayEnd.await();
                            return Map.of("pages", 2);
                        })
                        .start();
            case "end" -> mayEnd.countDown();
            case "fail" -> fail();
            default -> throw new AssertionError(what);
        }
    }

    private void fail() {
        JobRunner runner = jobs.runner()
                .handle(BROKEN, (data, run) -> {
                    throw new IllegalStateException("no disk");
                })
                .start();
        Awaitility.await().until(() -> jobs.counts("broken").containsKey(JobState.FAILED));
        runner.stop(Duration.ofSeconds(10));
    }
}
