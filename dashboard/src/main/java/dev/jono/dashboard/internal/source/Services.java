package dev.jono.dashboard.internal.source;

import dev.jono.JonoClock;
import dev.jono.QueueFactory;
import dev.jono.dashboard.Access;
import dev.jono.dashboard.Redaction;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What pages and REST share: the storages, and what can be seen and changed in them. Thread-safe. */
public final class Services {
    private final Map<String, Source> sources;
    private final List<String> names;
    private final Access access;
    private final Payloads payloads;
    private final QueueViews queues;
    private final JobViews jobs;
    private final QueueChanges queueChanges = new QueueChanges();
    private final JobChanges jobChanges = new JobChanges();

    public Services(Map<String, QueueFactory> factories, Access access, Redaction redaction, JonoClock clock) {
        this.names = List.copyOf(factories.keySet());
        Map<String, Source> opened = new HashMap<>();
        factories.forEach((name, jono) -> opened.put(name, new Source(name, jono, clock)));
        this.sources = Map.copyOf(opened);
        this.access = access;
        this.payloads = new Payloads(redaction);
        this.queues = new QueueViews(payloads);
        this.jobs = new JobViews(payloads, clock);
    }

    /** The names of the storages. */
    public List<String> names() {
        return names;
    }

    /** The storage that a request is about: the parameter {@code storage}, otherwise the first one. */
    public Source source(Request request) {
        Optional<String> name = request.query().get("storage");
        Source source = sources.get(name.orElse(names.get(0)));
        if (source == null) {
            throw ProblemException.missing(
                    "there is no storage '" + name.orElse("") + "'; there are " + String.join(", ", names));
        }
        return source;
    }

    /** All storages. */
    public List<Source> all() {
        return names.stream().map(sources::get).toList();
    }

    /** Who makes a request. */
    public Viewer viewer(Request request) {
        return new Viewer(access, request);
    }

    public Payloads payloads() {
        return payloads;
    }

    public QueueViews queues() {
        return queues;
    }

    public QueueChanges queueChanges() {
        return queueChanges;
    }

    public JobViews jobs() {
        return jobs;
    }

    public JobChanges jobChanges() {
        return jobChanges;
    }
}
