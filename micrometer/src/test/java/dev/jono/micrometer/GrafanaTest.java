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
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The dashboard asks for metrics and labels that exist, and shows all meters. */
class GrafanaTest {
    private static final JobType<String, Void> MAIL = JobType.of("mail", String.class);
    private static final Pattern SAMPLE = Pattern.compile("^([a-z_]+)(?:\\{(.*)})? .*", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");
    private static final Pattern SELECTOR = Pattern.compile("(jono_[a-z_]+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)\\s*(?:=~|!=|!~|=)");
    private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JonoMetrics metrics = JonoMetrics.builder(registry).build();
    private final JonoJobMetrics jobMetrics = JonoJobMetrics.create(registry);

    @RegisterExtension
    final JonoExtension jono =
            JonoExtension.create().configure(metrics::addTo).configure(factory -> factory.interceptor(jobMetrics));

    /** Uses a queue and a job, so that each meter is registered. Returns the labels of each sample. */
    private Map<String, Set<String>> samples(QueueFactory jono, Jobs jobs, JonoTester tester) throws Exception {
        jobMetrics.listenTo(jobs);
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        orders.push("skates");
        orders.reserve(Duration.ZERO).orElseThrow().ack();
        jobs.enqueue(MAIL, "ada");
        jobs.runner().handle(MAIL, (to, run) -> null).start();
        tester.awaitIdle();
        await().until(() -> registry.find("jono.job.duration").timer() != null);
        QueueDepths depths = metrics.watchDepths(jono);
        await().until(() -> registry.find("jono.queue.oldest.age").gauge() != null);
        depths.close();
        Map<String, Set<String>> samples = new TreeMap<>();
        Matcher sample = SAMPLE.matcher(registry.scrape());
        while (sample.find()) {
            Set<String> labels = samples.computeIfAbsent(sample.group(1), name -> new HashSet<>());
            LABEL.matcher(String.valueOf(sample.group(2))).results().forEach(label -> labels.add(label.group(1)));
        }
        return samples;
    }

    private static Set<String> expressions() throws Exception {
        try (InputStream file = Objects.requireNonNull(
                JonoMetrics.class.getResourceAsStream("grafana-dashboard.json"), "the dashboard")) {
            JsonNode dashboard = new ObjectMapper().readTree(file);
            Set<String> expressions = new TreeSet<>();
            dashboard.findValues("expr").forEach(node -> expressions.add(node.asText()));
            return expressions;
        }
    }

    @Test
    void dashboardAsksForWhatExists(QueueFactory jono, Jobs jobs, JonoTester tester) throws Exception {
        Map<String, Set<String>> samples = samples(jono, jobs, tester);
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
                MATCHER.matcher(String.valueOf(selector.group(2))).results().forEach(match -> used.add(match.group(1)));
                assertThat(samples.get(selector.group(1))).as(expression).containsAll(used);
            } while (selector.find());
        }
    }

    @Test
    void dashboardShowsAllMeters(QueueFactory jono, Jobs jobs, JonoTester tester) throws Exception {
        Map<String, Set<String>> samples = samples(jono, jobs, tester);
        assertThat(samples).isNotEmpty();
        String all = String.join("\n", expressions());
        assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .extracting(id -> id.getConventionName(registry.config().namingConvention()))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(all).contains(name));
    }
}
