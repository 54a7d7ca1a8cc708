package dev.jono.e2e.keuss;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;

/**
 * A queue in the Node process. Payloads are JSON, in which a Buffer is {@code {"$buffer_base64": text}}; elements are
 * as keuss delivers them.
 */
record KeussQueue(Keuss keuss, String handle) {
    private Map<String, Object> with(String name, Object value) {
        Map<String, Object> arguments = new HashMap<>(Map.of("queue", handle));
        arguments.put(name, value);
        return arguments;
    }

    private JsonNode ask(String operation) {
        return keuss.call(operation, Map.of("queue", handle));
    }

    /** Pushes, and returns the result of keuss's push. */
    JsonNode push(Object payload) {
        return push(payload, Map.of());
    }

    JsonNode push(Object payload, Map<String, ?> options) {
        Map<String, Object> arguments = with("payload", payload);
        arguments.put("opts", options);
        return keuss.call("push", arguments);
    }

    /** Takes an element, and waits up to this time. Fails with {@code timeout}. */
    JsonNode pop(Duration wait) {
        return Keuss.got(popLater(wait));
    }

    CompletableFuture<JsonNode> popLater(Duration wait) {
        return keuss.send("pop", with("opts", Map.of("timeout", wait.toMillis())));
    }

    JsonNode reserve(Duration wait) {
        return keuss.call("reserve", with("opts", Map.of("timeout", wait.toMillis())));
    }

    boolean ok(Object elementOrId) {
        return keuss.call("ok", with("element", elementOrId)).asBoolean();
    }

    /** Gives an element back, with keuss's own delay. Returns true, false or {@code deadletter}. */
    JsonNode ko(Object elementOrId) {
        return keuss.call("ko", with("element", elementOrId));
    }

    JsonNode ko(Object elementOrId, long nextMillis) {
        Map<String, Object> arguments = with("element", elementOrId);
        arguments.put("next", nextMillis);
        return keuss.call("ko", arguments);
    }

    boolean remove(String id) {
        return keuss.call("remove", with("element", id)).asBoolean();
    }

    long size() {
        return ask("size").asLong();
    }

    long totalSize() {
        return ask("totalSize").asLong();
    }

    long scheduledSize() {
        return ask("schedSize").asLong();
    }

    JsonNode stats() {
        return ask("stats");
    }

    boolean paused() {
        return ask("paused").asBoolean();
    }

    void pause(boolean value) {
        keuss.call("pause", with("value", value));
    }

    /** Waits until this many takers have found nothing and sleep. */
    void awaitSleeping(int takers) {
        Awaitility.await(takers + " takers of keuss to sleep")
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(30))
                .until(() -> ask("waiting").asInt() == takers);
    }

    /** Pushes this many numbers from this one on, several at a time. The future completes when all are stored. */
    CompletableFuture<JsonNode> produce(long from, int count, int width) {
        Map<String, Object> arguments = with("from", from);
        arguments.put("count", count);
        arguments.put("width", width);
        return keuss.send("produce", arguments);
    }

    /**
     * Moves all messages to another queue of the pipeline, with keuss's update of the payload. The result ends the
     * move.
     */
    Runnable link(KeussQueue to, Map<String, ?> update) {
        String link = handle + "->" + to.handle();
        keuss.call("link", Map.of("link", link, "from", handle, "to", to.handle(), "update", update));
        return () -> keuss.call("unlink", Map.of("link", link));
    }

    /** Takes elements until {@link #stop}. */
    void consume(int width, boolean reserve) {
        Map<String, Object> arguments = with("width", width);
        arguments.put("reserve", reserve);
        keuss.call("consume", arguments);
    }

    long taken() {
        return ask("taken").asLong();
    }

    /** Ends {@link #consume}: {@code taken} and {@code errors}. */
    JsonNode stop() {
        return ask("stop");
    }
}
