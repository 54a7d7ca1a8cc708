package dev.jono.jobs.redis;

import dev.jono.OutcomeUnknownException;
import dev.jono.support.redis.RedisErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A list of a caller in parts: each has items of one type of jobs, and is small enough for one call. The parts are in flight
 * together. No part has a job twice. Parts of a type that has one job in several of them are sent in their order. Used by one thread.
 *
 * @param <T> the type of the items
 */
final class Parts<T> {
    /** The items of one call. Redis serves no other client while a script runs. */
    static final int MAX_ITEMS = 100;

    /** The size of the items of one call. A larger item is sent alone. */
    static final long MAX_BYTES = 4L << 20;

    private final List<T> items;
    private final Map<String, Chain> chains = new LinkedHashMap<>();

    /** The items of one call, and their places in the caller's list. */
    private final class Part {
        final List<T> some = new ArrayList<>();
        final List<Integer> places = new ArrayList<>();
        private long bytes;

        private boolean hasRoomFor(long more) {
            return some.isEmpty() || (some.size() < MAX_ITEMS && bytes + more <= MAX_BYTES);
        }
    }

    /** The parts of one type. */
    private final class Chain {
        final List<Part> parts = new ArrayList<>();
        private final Set<String> before = new HashSet<>();
        private final Set<String> current = new HashSet<>();
        boolean ordered;

        void add(String id, T item, int place, long size) {
            if (parts.isEmpty() || !last().hasRoomFor(size) || current.contains(id)) {
                parts.add(new Part());
                before.addAll(current);
                current.clear();
            }
            ordered |= before.contains(id);
            current.add(id);
            last().some.add(item);
            last().places.add(place);
            last().bytes += size;
        }

        private Part last() {
            return parts.get(parts.size() - 1);
        }
    }

    /**
     * Splits a list.
     *
     * @param id from an item to its job
     * @param size from an item to about the number of bytes that are sent
     */
    Parts(List<T> items, Function<T, String> id, ToLongFunction<T> size) {
        this.items = List.copyOf(items);
        for (int i = 0; i < this.items.size(); i++) {
            T item = this.items.get(i);
            String job = id.apply(item);
            chains.computeIfAbsent(TypeKeys.typeOf(job), type -> new Chain()).add(job, item, i, size.applyAsLong(item));
        }
    }

    /** The types of the jobs. */
    Collection<String> types() {
        return chains.keySet();
    }

    /**
     * Sends the parts.
     *
     * @param call from a type and items to a result per item
     * @return the results in the order of the caller's list. If parts fail, the failure of one of them: one with an unknown outcome
     *     if there is such a part. Otherwise the failed parts are certainly not done, and the others are
     */
    <R> CompletableFuture<List<R>> send(BiFunction<String, List<T>, CompletableFuture<List<R>>> call) {
        @Nullable Object[] results = new Object[items.size()];
        List<CompletableFuture<?>> sent = new ArrayList<>();
        chains.forEach((type, chain) -> {
            CompletableFuture<?> previous = CompletableFuture.completedFuture(null);
            for (Part part : chain.parts) {
                CompletableFuture<?> one = (chain.ordered ? previous : CompletableFuture.completedFuture(null))
                        .thenCompose(done -> call.apply(type, part.some))
                        .thenAccept(answer -> {
                            for (int i = 0; i < part.places.size(); i++) {
                                results[part.places.get(i)] = answer.get(i);
                            }
                        });
                sent.add(one);
                previous = one;
            }
        });
        return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).handle((done, failure) -> {
            if (failure != null) {
                throw worst(sent);
            }
            @SuppressWarnings("unchecked") // each place has the result of its item
            List<R> all = (List<R>) Arrays.asList(results);
            return all;
        });
    }

    private static RuntimeException worst(List<CompletableFuture<?>> sent) {
        RuntimeException worst = new IllegalStateException("no part has failed");
        for (CompletableFuture<?> part : sent) {
            Throwable failure = part.handle((done, thrown) -> thrown).join();
            if (failure != null) {
                Throwable cause = RedisErrors.unwrap(failure);
                worst = cause instanceof RuntimeException ours ? ours : new IllegalStateException(cause);
                if (worst instanceof OutcomeUnknownException) {
                    return worst;
                }
            }
        }
        return worst;
    }
}
