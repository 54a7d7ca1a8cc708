package dev.jono.test;

import dev.jono.BrowsedMessage;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The queues of a factory with encoded payloads, by name. Thread-safe. */
final class RawQueues {
    private static final int PAGE = 100;

    private final QueueFactory jono;
    private final Map<String, MessageQueue<EncodedPayload>> opened = new ConcurrentHashMap<>();

    RawQueues(QueueFactory jono) {
        this.jono = jono;
    }

    MessageQueue<EncodedPayload> get(String name) {
        return opened.computeIfAbsent(name, n -> jono.queue(n, Codec.raw()));
    }

    /** The dead letters of all queues. Without {@link Capability#BROWSE}: no queue can have any. */
    List<Message<EncodedPayload>> deadLetters() {
        List<Message<EncodedPayload>> found = new ArrayList<>();
        for (String name : jono.queues()) {
            MessageQueue<EncodedPayload> queue = get(name);
            if (queue.capabilities().contains(Capability.BROWSE)) {
                all(queue).stream()
                        .filter(message -> message.headers().string(Headers.DL_FROM_QUEUE) != null)
                        .forEach(found::add);
            }
        }
        return found;
    }

    /** All messages of a queue. */
    static <T> List<BrowsedMessage<T>> all(MessageQueue<T> queue) {
        List<BrowsedMessage<T>> all = new ArrayList<>();
        List<BrowsedMessage<T>> page;
        String cursor = null;
        do {
            page = queue.browse(cursor, PAGE);
            all.addAll(page);
            cursor = page.isEmpty() ? null : page.get(page.size() - 1).cursor();
        } while (page.size() == PAGE);
        return all;
    }
}
