package dev.jono.dashboard.internal.page;

import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.Answer;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import dev.jono.dashboard.internal.http.Resources;
import dev.jono.dashboard.internal.http.Router;
import dev.jono.dashboard.internal.source.Services;
import dev.jono.dashboard.internal.source.Source;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pages, and the files that they need. Thread-safe. */
public final class Pages {
    private final Renderer renderer;
    private final Services services;
    private final String title;

    public Pages(Renderer renderer, Services services, String title) {
        this.renderer = renderer;
        this.services = services;
        this.title = title;
    }

    /** Adds all routes. */
    public void addTo(Router router) {
        router.add("GET", "", (request, names) -> overview(request));
        router.add("GET", "assets/{file}", (request, names) -> Resources.answer(names.getOrDefault("file", "")));
        new QueuePages(services, this).addTo(router);
        new JobPages(services, this).addTo(router);
    }

    private Answer overview(Request request) {
        services.viewer(request).require(Operation.VIEW, "");
        Source source = services.source(request);
        return render(
                "overview",
                Map.of(
                        "shell", shell(request, "overview"),
                        "numbers", source.overview(),
                        "runners",
                                source.findJobs().isPresent()
                                        ? services.jobs().runners(source, services.viewer(request))
                                        : List.of()));
    }

    Shell shell(Request request, String section) {
        return new Shell(services, request, title, section);
    }

    Answer render(String template, Map<String, ? extends @Nullable Object> values) {
        return render(200, template, values);
    }

    private Answer render(int status, String template, Map<String, ? extends @Nullable Object> values) {
        return Answer.html(status, renderer.render(template, values));
    }

    /** A problem as a page. */
    public Answer problem(Request request, ProblemException problem, @Nullable String id) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("shell", safeShell(request));
        values.put("heading", ProblemException.title(problem.status()));
        values.put("detail", problem.detail());
        values.put("id", id);
        return render(problem.status(), "problem", values);
    }

    /** Also where the request names a storage that is not there. */
    private Shell safeShell(Request request) {
        try {
            return shell(request, "");
        } catch (ProblemException e) {
            return Shell.ofFirstStorage(services, request, title);
        }
    }

    /** To another page after a form was sent; the page says what was done. */
    static Answer done(String link, String done, long count) {
        String parameters = "done=" + done + (count < 0 ? "" : "&n=" + count);
        return Answer.redirect(303, link + (link.contains("?") ? "&" : "?") + parameters);
    }
}
