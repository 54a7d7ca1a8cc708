package dev.jono.dashboard.internal.page;

import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.Request;
import dev.jono.dashboard.internal.http.UrlText;
import dev.jono.dashboard.internal.source.Services;
import dev.jono.dashboard.internal.source.Source;
import dev.jono.dashboard.internal.source.Viewer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds the content of each page: the title, the storages, the links. All URLs are relative to that of the request, so that
 * the dashboard works at any path and behind any proxy. Immutable.
 */
public final class Shell {
    /** What a page says after a form was sent: from the parameter {@code done} to a sentence; {@code %s} is the parameter {@code n}. */
    private static final Map<String, String> DONE = Map.ofEntries(
            Map.entry("paused", "Paused."),
            Map.entry("resumed", "Resumed."),
            Map.entry("purged", "%s messages removed."),
            Map.entry("redriven", "%s messages sent back to the queues that they came from."),
            Map.entry("pushed", "Message pushed."),
            Map.entry("duplicate", "Not pushed: a message with this unique key is there already."),
            Map.entry("removed", "Removed."),
            Map.entry("moved", "Moved."),
            Map.entry("rescheduled", "Due time changed."),
            Map.entry("changed", "%s jobs changed."),
            Map.entry("job", "Done."),
            Map.entry("enqueued", "Job enqueued."));

    private final String title;
    private final String section;
    private final Request request;
    private final Source source;
    private final List<String> storages;
    private final Viewer viewer;

    Shell(Services services, Request request, String title, String section) {
        this(services, request, title, section, services.source(request));
    }

    static Shell ofFirstStorage(Services services, Request request, String title) {
        return new Shell(services, request, title, "", services.all().get(0));
    }

    private Shell(Services services, Request request, String title, String section, Source source) {
        this.title = title;
        this.section = section;
        this.request = request;
        this.source = source;
        this.storages = services.names();
        this.viewer = services.viewer(request);
    }

    /** The title of the dashboard. */
    public String title() {
        return title;
    }

    /** Which entry of the navigation is the current one. */
    public String section() {
        return section;
    }

    /** The storage that is shown. */
    public String storage() {
        return source.name();
    }

    /** The backend of this storage. */
    public String backend() {
        return source.backend();
    }

    /** The names of all storages. */
    public List<String> storages() {
        return storages;
    }

    /** Whether jobs can be used on this storage. */
    public boolean hasJobs() {
        return source.findJobs().isPresent();
    }

    /** The name of the user; null if nobody is authenticated. */
    public @Nullable String user() {
        return request.user();
    }

    /** Whether the user may do something to a queue or to the jobs of a type. */
    public boolean may(String operation, String target) {
        return viewer.may(Operation.valueOf(operation), target);
    }

    /** The sentence about what a form has done; empty if there is none. */
    public Optional<String> done() {
        String count =
                request.query().get("n").filter(n -> n.matches("\\d{1,18}")).orElse("0");
        return request.query().get("done").map(DONE::get).map(text -> text.formatted(count));
    }

    /** The prefix that leads from this page to the mount. */
    public String root() {
        return "../".repeat(Math.max(0, request.segments().size() - 1));
    }

    /** A file of the dashboard. */
    public String asset(String name) {
        return root() + "assets/" + name;
    }

    /**
     * A link to a page of this storage.
     *
     * @param path from the mount; names in it are encoded already
     * @param parameters names and values in turn; those with an empty value are left out
     */
    public String link(String path, String... parameters) {
        return linkTo(storage(), path, parameters);
    }

    /** A link to a page of another storage. */
    public String linkTo(String storage, String path, String... parameters) {
        StringBuilder query = new StringBuilder();
        append(query, "storage", storage.equals(storages.get(0)) ? "" : storage);
        for (int i = 0; i + 1 < parameters.length; i += 2) {
            append(query, parameters[i], parameters[i + 1]);
        }
        String base = root() + path;
        return (base.isEmpty() ? "./" : base) + query;
    }

    private static void append(StringBuilder query, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            query.append(query.isEmpty() ? '?' : '&').append(name).append('=').append(UrlText.parameter(value));
        }
    }

    /** A link to a queue, or to something of it. */
    public String queue(String queue, String... more) {
        return link("queues/" + UrlText.segment(queue) + tail(more));
    }

    /** A link to a job, or to something of it. */
    public String job(String id, String... more) {
        return link("jobs/" + UrlText.segment(id) + tail(more));
    }

    /** A link to a schedule's forms. */
    public String schedule(String name, String... more) {
        return link("schedules/" + UrlText.segment(name) + tail(more));
    }

    private static String tail(String... more) {
        StringBuilder tail = new StringBuilder();
        for (String each : more) {
            tail.append('/').append(UrlText.segment(each));
        }
        return tail.toString();
    }
}
