package dev.jono.e2e.keuss;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** A factory in the Node process. */
record KeussFactory(Keuss keuss, String handle) {
    KeussQueue queue(String name) {
        return queue(name, Map.of());
    }

    /** A queue; each call makes a Queue object of its own. */
    KeussQueue queue(String name, Map<String, ?> options) {
        String queue = handle + "/" + name + "/" + java.util.UUID.randomUUID();
        keuss.call("queue", Map.of("factory", handle, "queue", queue, "name", name, "opts", options));
        return new KeussQueue(keuss, queue);
    }

    JsonNode list() {
        return keuss.call("list", Map.of("factory", handle));
    }

    JsonNode listFull() {
        return keuss.call("listFull", Map.of("factory", handle));
    }
}
