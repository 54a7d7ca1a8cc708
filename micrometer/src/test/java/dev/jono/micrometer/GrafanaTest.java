package dev.jono.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.test.JonoExtension;
import dev.jono.test.JonoTester;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The dashboard asks for metrics and labels that exist, and shows all meters. */
class GrafanaTest {
    private static final JobType<String, Void> MAIL = JobType.of("mail", String.class);
    private static final Pattern SAMPLE = Pattern.compile("^([a-z_]+)(?:\\{(.*)})? .*", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");
    private static final Pattern SELECTOR = Pattern.compile("(jono_[a-z_]+)(?:\\{([^}]*)})?");
    private static final Pattern VARIABLE =
            Pattern.compile("label_values\\(\\{__name__=~\"([^\"]*)\"(?:,([^}]*))?}, ([a-z_]+)\\)");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)\\s*(?:=~|!=|!~|=)");
    private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");

    /** The labels that Prometheus adds to what it scrapes. */
    private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JonoMetrics metrics = JonoMetrics.builder(registry).build();
    private final JonoJobMetrics jobMetrics = JonoJobMetrics.create(registry);

    @RegisterExtension
    final JonoExtension jono =
            JonoExtension.create().configure(metrics::addTo).configure(factory -> factory.interceptor(jobMetrics));

    GrafanaTest() {
        registry.config().commonTags("application", "shop");
    }

    /** The values of each label of each sample. */
    private static final class Samples extends TreeMap<String, Map<String, Set<String>>> {
        private static final long serialVersionUID = 1L;

        Set<String> labels(String name) {
            Set<String> labels = new HashSet<>(OF_PROMETHEUS);
            labels.addAll(getOrDefault(name, Map.of()).keySet());
            return labels;
        }

        Set<String> values(Collection<String> names, String label) {
            Set<String> values = new TreeSet<>();
            names.forEach(name -> values.addAll(getOrDefault(name, Map.of()).getOrDefault(label, Set.of())));
            return values;
        }
    }

    /** Uses a queue and a job, so that each meter is registered. Of another queue the depths alone are known. */
    private Samples samples(QueueFactory jono, Jobs jobs, JonoTester tester) throws Exception {
        jobMetrics.listenTo(jobs);
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        orders.push("skates");
        orders.reserve(Duration.ZERO).orElseThrow().ack();
        jobs.enqueue(MAIL, "ada");
        jobs.runner().handle(MAIL, (to, run) -> null).start();
        tester.awaitIdle();
        await().until(() -> registry.find("jono.job.duration").timer() != null);
        try (QueueFactory unmeasured = QueueFactory.connect("memory:")) {
            unmeasured.queue("reports", Codec.string()).push("a");
            QueueDepths depths = metrics.watchDepths(unmeasured);
            await().until(() -> registry.find("jono.queue.oldest.age").gauge() != null);
            depths.close();
        }
        Samples samples = new Samples();
        Matcher sample = SAMPLE.matcher(registry.scrape());
        while (sample.find()) {
            Map<String, Set<String>> labels = samples.computeIfAbsent(sample.group(1), name -> new TreeMap<>());
            LABEL.matcher(String.valueOf(sample.group(2)))
                    .results()
                    .forEach(label -> labels.computeIfAbsent(label.group(1), name -> new HashSet<>())
                            .add(label.group(2)));
        }
        return samples;
    }

    private static JsonNode dashboard() throws IOException {
        try (InputStream file = Objects.requireNonNull(
                JonoMetrics.class.getResourceAsStream("grafana-dashboard.json"), "the dashboard")) {
            return new ObjectMapper().readTree(file);
        }
    }

    private static Set<String> expressions() throws IOException {
        Set<String> expressions = new TreeSet<>();
        dashboard().findValues("expr").forEach(node -> expressions.add(node.asText()));
        return expressions;
    }

    private static Set<String> matched(@Nullable String matchers) {
        Set<String> labels = new HashSet<>();
        MATCHER.matcher(String.valueOf(matchers)).results().forEach(match -> labels.add(match.group(1)));
        return labels;
    }

    @Test
    void dashboardAsksForWhatExists(QueueFactory jono, Jobs jobs, JonoTester tester) throws Exception {
        Samples samples = samples(jono, jobs, tester);
        for (String expression : expressions()) {
            Set<String> grouping = new HashSet<>();
            GROUPING.matcher(expression)
                    .results()
                    .forEach(by -> grouping.addAll(Arrays.asList(by.group(1).split(",\\s*"))));
            Matcher selector = SELECTOR.matcher(expression);
            assertThat(selector.find()).as(expression).isTrue();
            do {
                assertThat(samples).as(expression).containsKey(selector.group(1));
                Set<String> used = new HashSet<>(grouping);
                used.addAll(matched(selector.group(2)));
                assertThat(samples.labels(selector.group(1))).as(expression).containsAll(used);
            } while (selector.find());
        }
    }

    @Test
    void variablesAskForWhatExistsAndOfferAllValues(QueueFactory jono, Jobs jobs, JonoTester tester) throws Exception {
        Samples samples = samples(jono, jobs, tester);
        Set<String> labels = new TreeSet<>();
        for (JsonNode variable : dashboard().at("/templating/list")) {
            if (variable.path("type").asText().equals("query")) {
                String query = variable.at("/query/query").asText();
                assertThat(variable.path("definition").asText()).isEqualTo(query);
                Matcher asked = VARIABLE.matcher(query);
                assertThat(asked.matches()).as(query).isTrue();
                List<String> names = List.of(asked.group(1).split("\\|"));
                String label = asked.group(3);
                for (String name : names) {
                    assertThat(samples).as(query).containsKey(name);
                    assertThat(samples.labels(name)).as(query).contains(label).containsAll(matched(asked.group(2)));
                }
                assertThat(samples.values(names, label)).as(query).isEqualTo(samples.values(samples.keySet(), label));
                assertThat(variable.path("name").asText()).isEqualTo(label);
                labels.add(label);
            }
        }
        assertThat(labels).containsExactly("application", "instance", "queue");
    }

    /** Several applications can be on one Prometheus. */
    @Test
    void expressionsFilterAndKeepApplicationsApart() throws IOException {
        assertThat(expressions()).allSatisfy(expression -> {
            assertThat(SELECTOR.matcher(expression).results())
                    .isNotEmpty()
                    .allSatisfy(selector -> assertThat(selector.group(2))
                            .contains("application=~\"$application\"", "instance=~\"$instance\""));
            assertThat(GROUPING.matcher(expression).results())
                    .isNotEmpty()
                    .allSatisfy(by -> assertThat(by.group(1).split(",\\s*")).contains("application"));
        });
    }

    @Test
    void dashboardShowsAllMeters(QueueFactory jono, Jobs jobs, JonoTester tester) throws Exception {
        assertThat(samples(jono, jobs, tester)).isNotEmpty();
        String all = String.join("\n", expressions());
        assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .extracting(id -> id.getConventionName(registry.config().namingConvention()))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(all).contains(name));
    }
}
