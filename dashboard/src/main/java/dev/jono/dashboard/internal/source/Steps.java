package dev.jono.dashboard.internal.source;

import dev.jono.dashboard.internal.http.Request;
import java.util.Map;

/** What the steps of pages and of REST share: whom and what a request is about. Thread-safe. */
public abstract class Steps {
    /** What can be seen and changed. */
    protected final Services services;

    /** Steps on these services. */
    protected Steps(Services services) {
        this.services = services;
    }

    /** The storage that a request is about. */
    protected final Source source(Request request) {
        return services.source(request);
    }

    /** Who makes a request. */
    protected final Viewer viewer(Request request) {
        return services.viewer(request);
    }

    /** The queue in a path. */
    protected static String queue(Map<String, String> names) {
        return names.getOrDefault("queue", "");
    }

    /** The id of a message or a job in a path. */
    protected static String id(Map<String, String> names) {
        return names.getOrDefault("id", "");
    }

    /** The schedule in a path. */
    protected final JobViews.ScheduleDetail schedule(Request request, Map<String, String> names) {
        return services.jobs().schedule(source(request), viewer(request), names.getOrDefault("name", ""));
    }
}
