package dev.jono.backend.redisoq;

import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import dev.jono.support.redis.RedisErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One call of the engine's as several scripts, sent one behind the other without waiting: no script holds Redis for long,
 * and Redis has the next one at hand while the answer to the first is read. They are done in the order in which they were
 * sent; each has a token of its own, made of the call's, so that the call can be repeated as a whole.
 */
final class Parts {
    private Parts() {}

    /** Sends the part of a list. */
    @FunctionalInterface
    interface Sender<I, R> {
        CompletionStage<R> send(List<I> part, String token);
    }

    /** Sends a list in parts; what they answer, in their order. Fails as {@link #together} does. */
    static <I, R> CompletableFuture<List<R>> send(
            String step, String queue, List<I> items, String token, Sender<I, R> sender) {
        List<CompletableFuture<R>> parts = each(items, token, sender);
        return together(step, queue, parts);
    }

    /** Sends a list in parts, each of which ends for itself. */
    static <I, R> List<CompletableFuture<R>> each(List<I> items, String token, Sender<I, R> sender) {
        int most = RedisOqBackend.MAX_SCRIPT;
        List<CompletableFuture<R>> parts = new ArrayList<>(items.size() / most + 1);
        for (int from = 0; from < items.size(); from += most) {
            List<I> part = items.subList(from, Math.min(items.size(), from + most));
            parts.add(sender.send(part, token(token, parts.size())).toCompletableFuture());
        }
        return parts;
    }

    /** The token of a part. */
    static String token(String token, int part) {
        return part == 0 ? token : token + '.' + part;
    }

    /**
     * What all parts answered. Where some are done and others were refused, the call is neither: it fails with an
     * {@link OutcomeUnknownException}, and repeated it does the rest.
     */
    static <R> CompletableFuture<List<R>> together(String step, String queue, List<CompletableFuture<R>> parts) {
        if (parts.size() == 1) {
            return parts.get(0).thenApply(List::of);
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).handle((done, failure) -> {
            if (failure == null) {
                return parts.stream().map(CompletableFuture::join).toList();
            }
            throw failure(step, queue, parts);
        });
    }

    private static <R> RuntimeException failure(String step, String queue, List<CompletableFuture<R>> parts) {
        Throwable refused = null;
        boolean some = false;
        for (CompletableFuture<R> part : parts) {
            Throwable failure = failure(part);
            if (failure instanceof OutcomeUnknownException unknown) {
                return unknown;
            }
            some |= failure == null;
            refused = refused == null ? failure : refused;
        }
        if (!some && refused instanceof RuntimeException all) {
            return all;
        }
        return new OutcomeUnknownException(
                step + " on queue '" + queue + "' is done in part; the rest was refused: "
                        + (refused == null ? "" : refused.getMessage()),
                queue,
                null,
                refused);
    }

    /** Why a part that has ended was refused, and certainly did nothing; null if it is done, or nobody knows. */
    static <R> @Nullable StorageException refusal(CompletableFuture<R> part) {
        return failure(part) instanceof StorageException refused ? refused : null;
    }

    private static <R> @Nullable Throwable failure(CompletableFuture<R> part) {
        try {
            part.join();
            return null;
        } catch (RuntimeException failure) {
            return RedisErrors.unwrap(failure);
        }
    }
}
