package dev.jono.dashboard.internal.page;

import dev.jono.BrowsedMessage;
import dev.jono.PushResult;
import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.Answer;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import dev.jono.dashboard.internal.http.Router;
import dev.jono.dashboard.internal.source.Input;
import dev.jono.dashboard.internal.source.MessageView;
import dev.jono.dashboard.internal.source.Page;
import dev.jono.dashboard.internal.source.QueueSample;
import dev.jono.dashboard.internal.source.QueueViews;
import dev.jono.dashboard.internal.source.Services;
import dev.jono.dashboard.internal.source.Source;
import dev.jono.dashboard.internal.source.Steps;
import dev.jono.dashboard.internal.source.Viewer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pages about queues and messages, and their forms. Thread-safe. */
final class QueuePages extends Steps {
    private static final int QUEUES = 50;
    private static final int MESSAGES = 50;
    private static final String MESSAGE = "queues/{queue}/messages/{id}";

    private final Pages pages;

    QueuePages(Services services, Pages pages) {
        super(services);
        this.pages = pages;
    }

    void addTo(Router router) {
        router.add("GET", "queues", (request, names) -> queues(request));
        router.add("GET", "dead-letters", (request, names) -> deadLetters(request));
        router.add("GET", "queues/{queue}", (request, names) -> queue(request, queue(names)));
        router.add("POST", "queues/{queue}/pause", (request, names) -> pause(request, queue(names), true));
        router.add("POST", "queues/{queue}/resume", (request, names) -> pause(request, queue(names), false));
        router.add("POST", "queues/{queue}/purge", (request, names) -> purge(request, queue(names)));
        router.add("POST", "queues/{queue}/redrive", (request, names) -> redrive(request, queue(names)));
        router.add("POST", "queues/{queue}/push", (request, names) -> push(request, queue(names)));
        router.add("GET", MESSAGE, (request, names) -> message(request, queue(names), id(names)));
        router.add("POST", MESSAGE + "/remove", (request, names) -> remove(request, queue(names), id(names)));
        router.add("POST", MESSAGE + "/move", (request, names) -> move(request, queue(names), id(names)));
        router.add("POST", MESSAGE + "/redrive", (request, names) -> redriveOne(request, queue(names), id(names)));
        router.add("POST", MESSAGE + "/reschedule", (request, names) -> reschedule(request, queue(names), id(names)));
    }

    private Shell shell(Request request) {
        return pages.shell(request, "queues");
    }

    private Answer queues(Request request) {
        Viewer viewer = viewer(request);
        viewer.require(Operation.VIEW, "");
        String part = request.query().get("name").orElse("");
        boolean lanes = request.query().flag("jobs");
        Page<QueueSample> page = services.queues()
                .list(
                        source(request),
                        viewer,
                        part,
                        lanes,
                        request.query().get("after").orElse(""),
                        QUEUES);
        return pages.render("queues", Map.of("shell", shell(request), "page", page, "name", part, "lanes", lanes));
    }

    private Answer deadLetters(Request request) {
        return queue(request, source(request).deadLetters(), "dead-letters");
    }

    private Answer queue(Request request, String queue) {
        return queue(request, queue, queue.equals(source(request).deadLetters()) ? "dead-letters" : "queues");
    }

    private Answer queue(Request request, String queue, String section) {
        viewer(request).require(Operation.VIEW, queue);
        Source source = source(request);
        String state = request.query().get("state").orElse("");
        BrowsedMessage.State wanted = QueueViews.state(state).orElse(null);
        String after = request.query().get("after").orElse(null);
        boolean deadLetters = section.equals("dead-letters");
        Map<String, @Nullable Object> values = new HashMap<>();
        // The queue of dead letters is not there while it is empty.
        values.put(
                "queue", deadLetters ? source.sample(queue) : services.queues().queue(source, queue));
        values.put("shell", pages.shell(request, section));
        values.put("state", state);
        values.put("deadLetters", deadLetters);
        try {
            Page<MessageView> page = services.queues().messages(source, queue, wanted, after, MESSAGES);
            values.put("page", page);
            values.put("refusal", null);
        } catch (ProblemException refused) {
            if (refused.status() != 501) {
                throw refused;
            }
            values.put("page", new Page<>(List.of(), null));
            values.put("refusal", refused.detail());
        }
        return pages.render("queue", values);
    }

    private Answer pause(Request request, String queue, boolean paused) {
        services.queueChanges().pause(source(request), viewer(request), queue, paused);
        return Pages.done(listOrQueue(request, queue), paused ? "paused" : "resumed", -1);
    }

    private Answer purge(Request request, String queue) {
        long purged = services.queueChanges().purge(source(request), viewer(request), queue);
        return Pages.done(listOrQueue(request, queue), "purged", purged);
    }

    private Answer redrive(Request request, String queue) {
        long redriven = services.queueChanges().redrive(source(request), viewer(request), queue, Integer.MAX_VALUE);
        return Pages.done(listOrQueue(request, queue), "redriven", redriven);
    }

    private Answer push(Request request, String queue) {
        PushResult result = services.queueChanges().push(source(request), viewer(request), queue, Input.form(request));
        return Pages.done(shell(request).queue(queue), result.duplicate() ? "duplicate" : "pushed", -1);
    }

    private Answer message(Request request, String queue, String id) {
        viewer(request).require(Operation.VIEW, queue);
        MessageView message = services.queues().message(source(request), queue, id);
        return pages.render("message", Map.of("shell", shell(request), "message", message));
    }

    private Answer remove(Request request, String queue, String id) {
        services.queueChanges().remove(source(request), viewer(request), queue, id);
        return Pages.done(listOrQueue(request, queue), "removed", -1);
    }

    private Answer move(Request request, String queue, String id) {
        String to = Input.form(request).required("to");
        services.queueChanges().move(source(request), viewer(request), queue, id, to);
        return Pages.done(listOrQueue(request, queue), "moved", -1);
    }

    private Answer redriveOne(Request request, String queue, String id) {
        services.queueChanges().redriveOne(source(request), viewer(request), queue, id);
        return Pages.done(listOrQueue(request, queue), "redriven", 1);
    }

    private Answer reschedule(Request request, String queue, String id) {
        services.queueChanges().reschedule(source(request), viewer(request), queue, id, Input.form(request));
        return Pages.done(shell(request).queue(queue, "messages", id), "rescheduled", -1);
    }

    /** The page of a queue, or the list if the queue is gone with its last message. */
    private String listOrQueue(Request request, String queue) {
        Source source = source(request);
        if (queue.equals(source.deadLetters())) {
            return shell(request).link("dead-letters");
        }
        return source.has(queue) ? shell(request).queue(queue) : shell(request).link("queues");
    }
}
