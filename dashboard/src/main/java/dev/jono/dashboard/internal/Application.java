package dev.jono.dashboard.internal;

import dev.jono.ConfigurationException;
import dev.jono.JonoClock;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.PayloadTooLargeException;
import dev.jono.QueueFactory;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.dashboard.Access;
import dev.jono.dashboard.Exchange;
import dev.jono.dashboard.Operation;
import dev.jono.dashboard.Redaction;
import dev.jono.dashboard.internal.http.Answer;
import dev.jono.dashboard.internal.http.Guard;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import dev.jono.dashboard.internal.http.Router;
import dev.jono.dashboard.internal.kue.KueSurface;
import dev.jono.dashboard.internal.live.Streams;
import dev.jono.dashboard.internal.page.Pages;
import dev.jono.dashboard.internal.rest.RestApi;
import dev.jono.dashboard.internal.source.Services;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests. Thread-safe. */
public final class Application {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.dashboard");

    /** The text format of Prometheus, version 0.0.4. */
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final Router router = new Router();
    private final Pages pages;
    private final RestApi rest;
    private final @Nullable KueSurface kue;
    private final Streams streams = new Streams();

    public Application(
            Map<String, QueueFactory> factories, Access access, Redaction redaction, JonoClock clock, Options options) {
        Services services = new Services(factories, access, redaction, clock);
        this.pages = new Pages(new CompiledTemplates(), services, options.title);
        this.rest = new RestApi(services, streams);
        this.kue = options.kue ? new KueSurface(services, options.kueUnsafeGet) : null;
        pages.addTo(router);
        rest.addTo(router);
        if (kue != null) {
            kue.addTo(router);
        }
        Supplier<String> metrics = options.metrics;
        if (metrics != null) {
            router.add("GET", "metrics", (request, names) -> {
                services.viewer(request).require(Operation.VIEW, "");
                return Answer.of(200, PROMETHEUS, metrics.get().getBytes(StandardCharsets.UTF_8));
            });
        }
    }

    /**
     * What is there, and how it looks.
     *
     * @param title the title of the pages
     * @param metrics writes the metrics of the application as the text of Prometheus; null for none
     * @param kue whether the routes of Kue are there
     * @param kueUnsafeGet whether one of them changes something by {@code GET}, as in Kue
     */
    public record Options(String title, @Nullable Supplier<String> metrics, boolean kue, boolean kueUnsafeGet) {}

    /** Answers a request; see {@link dev.jono.dashboard.Dashboard#handle}. */
    public void handle(Exchange exchange) throws IOException {
        if (exchange.path().isEmpty()) {
            write(exchange, Answer.redirect(302, "./" + lastSegment(exchange)));
            return;
        }
        Request request = null;
        Answer answer;
        try {
            request = new Request(exchange);
            Guard.requireSameSite(request);
            answer = router.answer(request);
        } catch (RuntimeException failure) {
            answer = failed(exchange, request, failure);
        }
        if (request != null) {
            request.skipBody();
        }
        write(exchange, answer);
    }

    /** Relative URLs of the pages need a slash at the end of the mount. */
    private static String lastSegment(Exchange exchange) {
        String mount = exchange.mount();
        return mount.substring(mount.lastIndexOf('/') + 1) + "/";
    }

    private Answer failed(Exchange exchange, @Nullable Request request, RuntimeException failure) {
        ProblemException problem = problem(failure);
        String id = null;
        if (problem.status() >= 500 && problem.status() != 501) {
            id = UUID.randomUUID().toString().substring(0, 8);
            LOG.warn("error {}: {} {} failed", id, exchange.method(), exchange.path(), failure);
        }
        if (kue != null && KueSurface.owns(exchange.path())) {
            return kue.problem(exchange.path(), problem);
        }
        boolean asJson = exchange.path().startsWith("/api/")
                || exchange.path().startsWith("/health/")
                || exchange.path().equals("/metrics");
        return asJson || request == null ? rest.problem(problem, id) : pages.problem(request, problem, id);
    }

    private static ProblemException problem(RuntimeException failure) {
        if (failure instanceof ProblemException problem) {
            return problem;
        }
        if (failure instanceof UnsupportedCapabilityException || failure instanceof ConfigurationException) {
            return new ProblemException(501, String.valueOf(failure.getMessage()));
        }
        if (failure instanceof IllegalArgumentException) {
            return ProblemException.bad(String.valueOf(failure.getMessage())); // of the API: it names the wrong value
        }
        if (failure instanceof PayloadTooLargeException) {
            return new ProblemException(413, String.valueOf(failure.getMessage()));
        }
        if (failure instanceof OutcomeUnknownException) {
            return new ProblemException(503, "the storage did not answer: the change may or may not be done");
        }
        if (failure instanceof JonoException) {
            return new ProblemException(503, "the storage does not answer, or refuses");
        }
        return new ProblemException(500, "the dashboard has failed");
    }

    private static void write(Exchange exchange, Answer answer) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>(Guard.HEADERS);
        headers.putAll(answer.headers());
        Answer.Stream stream = answer.stream();
        try (OutputStream out = exchange.answer(answer.status(), headers, stream == null ? answer.body().length : -1)) {
            if (exchange.method().equals("HEAD")) {
                return;
            }
            if (stream == null) {
                out.write(answer.body());
            } else {
                stream.writeTo(out);
            }
        }
    }

    /** Ends the streams. */
    public void close() {
        streams.close();
    }
}
