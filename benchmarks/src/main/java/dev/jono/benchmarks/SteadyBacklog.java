package dev.jono.benchmarks;

import dev.jono.MessageQueue;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reserves and acks from a queue and pushes each message again, so that the backlog keeps its length. */
final class SteadyBacklog {
    private SteadyBacklog() {}

    /** Pushes until the queue holds at least this many messages. */
    static <T> void fill(MessageQueue<T> queue, T payload, int messages) {
        List<T> list = Collections.nCopies(1000, payload);
        for (long there = queue.totalSize(); there < messages; there += 1000) {
            queue.pushAll(list);
        }
    }

    /** Reserves and acks this many messages in lists of 100, and pushes each payload again; returns how many it did. */
    static <T> long run(MessageQueue<T> queue, int messages) throws Exception {
        long done = 0;
        Set<String> ids = new HashSet<>();
        while (done < messages) {
            List<Reservation<T>> got = queue.reserve(100, Duration.ofSeconds(10));
            List<T> again = new ArrayList<>(got.size());
            for (Reservation<T> held : got) {
                again.add(held.payload());
                if (!ids.add(held.id())) {
                    throw new IllegalStateException("message " + held.id() + " arrived twice");
                }
            }
            queue.ackAll(got);
            queue.pushAll(again);
            done += got.size();
        }
        return done;
    }
}
