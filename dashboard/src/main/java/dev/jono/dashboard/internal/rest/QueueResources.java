package dev.jono.dashboard.internal.rest;

import static dev.jono.dashboard.internal.rest.RestApi.V1;

import dev.jono.EncodedPayload;
import dev.jono.PushResult;
import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.Answer;
import dev.jono.dashboard.internal.http.Request;
import dev.jono.dashboard.internal.http.Router;
import dev.jono.dashboard.internal.source.Input;
import dev.jono.dashboard.internal.source.MessageView;
import dev.jono.dashboard.internal.source.Page;
import dev.jono.dashboard.internal.source.QueueSample;
import dev.jono.dashboard.internal.source.QueueViews;
import dev.jono.dashboard.internal.source.Services;
import dev.jono.dashboard.internal.source.Steps;
import dev.jono.dashboard.internal.source.Viewer;
import java.util.Map;

/** Queues and messages by REST. Thread-safe. */
final class QueueResources extends Steps {
    private static final String QUEUE = V1 + "queues/{queue}";
    private static final String MESSAGE = QUEUE + "/messages/{id}";

    QueueResources(Services services) {
        super(services);
    }

    void addTo(Router router) {
        router.add("GET", V1 + "queues", (request, names) -> queues(request));
        router.add("GET", QUEUE, (request, names) -> queue(request, queue(names)));
        router.add("PUT", QUEUE + "/paused", (request, names) -> pause(request, queue(names)));
        router.add("POST", QUEUE + "/purge", (request, names) -> purge(request, queue(names)));
        router.add("POST", QUEUE + "/redrive", (request, names) -> redrive(request, queue(names)));
        router.add("GET", QUEUE + "/messages", (request, names) -> messages(request, queue(names)));
        router.add("POST", QUEUE + "/messages", (request, names) -> push(request, queue(names)));
        router.add("GET", MESSAGE, (request, names) -> message(request, queue(names), id(names)));
        router.add("GET", MESSAGE + "/payload", (request, names) -> payload(request, queue(names), id(names)));
        router.add("DELETE", MESSAGE, (request, names) -> remove(request, queue(names), id(names)));
        router.add("POST", MESSAGE + "/move", (request, names) -> move(request, queue(names), id(names)));
        router.add("POST", MESSAGE + "/redrive", (request, names) -> redriveOne(request, queue(names), id(names)));
        router.add("POST", MESSAGE + "/reschedule", (request, names) -> reschedule(request, queue(names), id(names)));
    }

    private Answer queues(Request request) {
        Viewer viewer = viewer(request);
        viewer.require(Operation.VIEW, "");
        Page<QueueSample> page = services.queues()
                .list(
                        source(request),
                        viewer,
                        request.query().get("name").orElse(""),
                        request.query().flag("jobs"),
                        request.query().get("after").orElse(""),
                        RestApi.limit(request));
        return RestApi.list("queues", page.items(), page.next());
    }

    private Answer queue(Request request, String queue) {
        viewer(request).require(Operation.VIEW, queue);
        return Answer.json(services.queues().queue(source(request), queue));
    }

    private Answer pause(Request request, String queue) {
        services.queueChanges().pause(source(request), viewer(request), queue, RestApi.flag(request));
        return Answer.nothing();
    }

    private Answer purge(Request request, String queue) {
        long purged = services.queueChanges().purge(source(request), viewer(request), queue);
        return Answer.json(Map.of("purged", purged));
    }

    private Answer redrive(Request request, String queue) {
        int max = request.query().number("max", Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
        long redriven = services.queueChanges().redrive(source(request), viewer(request), queue, max);
        return Answer.json(Map.of("redriven", redriven));
    }

    private Answer messages(Request request, String queue) {
        viewer(request).require(Operation.VIEW, queue);
        Page<MessageView> page = services.queues()
                .messages(
                        source(request),
                        queue,
                        QueueViews.state(request.query().get("state").orElse(""))
                                .orElse(null),
                        request.query().get("after").orElse(null),
                        RestApi.limit(request));
        return RestApi.list("messages", page.items(), page.next());
    }

    private Answer push(Request request, String queue) {
        Input input =
                Input.json(request).only("payload", "kind", "headers", "delay", "dueAt", "key", "unique", "window");
        PushResult result = services.queueChanges().push(source(request), viewer(request), queue, input);
        return Answer.json(result.duplicate() ? 200 : 201, Map.of("id", result.id(), "duplicate", result.duplicate()));
    }

    private Answer message(Request request, String queue, String id) {
        viewer(request).require(Operation.VIEW, queue);
        return Answer.json(services.queues().message(source(request), queue, id));
    }

    /** The whole payload. Never as a page: it could contain scripts. */
    private Answer payload(Request request, String queue, String id) {
        viewer(request).require(Operation.VIEW, queue);
        EncodedPayload payload = services.queues().payload(source(request), queue, id);
        return Answer.of(200, "application/octet-stream", payload.bytes())
                .with(
                        "Content-Disposition",
                        "attachment; filename=\"payload." + payload.kind().label() + "\"");
    }

    private Answer remove(Request request, String queue, String id) {
        services.queueChanges().remove(source(request), viewer(request), queue, id);
        return Answer.nothing();
    }

    private Answer move(Request request, String queue, String id) {
        String to = Input.json(request).only("to").required("to");
        services.queueChanges().move(source(request), viewer(request), queue, id, to);
        return Answer.nothing();
    }

    private Answer redriveOne(Request request, String queue, String id) {
        services.queueChanges().redriveOne(source(request), viewer(request), queue, id);
        return Answer.nothing();
    }

    private Answer reschedule(Request request, String queue, String id) {
        Input input = Input.json(request).only("dueAt", "delay");
        services.queueChanges().reschedule(source(request), viewer(request), queue, id, input);
        return Answer.nothing();
    }
}
