package dev.jono.support.redis;

import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import dev.jono.spi.InsertResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of the engine's as several scripts, sent one behind the other without waiting: no script holds Redis for long,
 * and Redis has the next one at hand while the answer to the first is read. They are done in the order in which they were
 * sent, unless one has to be sent again: by its text, where Redis has forgotten the script, to another node, or over a new
 * connection. Where the order counts, a part says which one it follows, or waits for it. Each has a token of its own, made of
 * the call's, so that the call can be repeated as a whole. Thread-safe.
 */
public final class ScriptChain {
    private final String queue;
    private final int maxPerScript;

    /**
     * How the calls of a queue are sent.
     *
     * @param queue for messages
     * @param most how many messages one script may work on
     */
    public ScriptChain(String queue, int most) {
        this.queue = queue;
        this.maxPerScript = most;
    }

    /** Sends a part of a list, under the token of the part. */
    @FunctionalInterface
    public interface Sender<I, R> {
        /** Sends it. */
        CompletionStage<R> send(List<I> part, String token);
    }

    /** Sends a part of a list that is to be stored behind the part before. */
    @FunctionalInterface
    public interface InsertSender<I> {
        /**
         * Sends it.
         *
         * @param before token of the part before; of the first its own
         * @return without items, and nothing stored, where Redis does not remember the part before
         */
        CompletionStage<InsertResult> send(List<I> part, String token, String before);
    }

    /** Sends a part that is to bring so many, behind what the part before brings. */
    @FunctionalInterface
    public interface ClaimSender<R> {
        /**
         * Sends it.
         *
         * @param before token of the part before; of the first its own
         * @return of nothing, and nothing taken, where Redis does not remember the part before
         */
        CompletionStage<R> send(int max, String token, String before);
    }

    /**
     * Sends a list in parts, in any order; what they answered, in that of the list. Fails as {@link #combine} does.
     *
     * @param step for messages
     */
    public <I, R> CompletableFuture<List<R>> sendInAnyOrder(
            String step, List<I> items, String token, Sender<I, R> sender) {
        return combine(
                step,
                split(items, token, part -> sender.send(part.items, part.token).toCompletableFuture()));
    }

    /** Asks for so many in parts; what they answered, in their order. Fails as {@link #combine} does. */
    public <R> CompletableFuture<List<R>> claim(String step, int count, String token, ClaimSender<R> asker) {
        List<CompletableFuture<R>> parts = new ArrayList<>(count / maxPerScript + 1);
        String before = token;
        for (int left = count; left > 0; left -= maxPerScript) {
            String its = token(token, parts.size());
            parts.add(asker.send(Math.min(left, maxPerScript), its, before).toCompletableFuture());
            before = its;
        }
        return combine(step, parts);
    }

    /** Sends a list in parts, each when the one before has been answered; where that one failed, it fails with it. */
    public <I, R> List<CompletableFuture<R>> sendInOrder(List<I> items, String token, Sender<I, R> sender) {
        return split(items, token, part -> {
            Supplier<CompletableFuture<R>> send =
                    () -> sender.send(part.items, part.token).toCompletableFuture();
            return part.before == null ? send.get() : part.before.thenCompose(done -> send.get());
        });
    }

    /**
     * A part of a list.
     *
     * @param follows token of the part before; of the first its own
     * @param before what comes of the part before; null of the first
     */
    private record Part<I, R>(
            List<I> items,
            String token,
            String follows,
            @Nullable CompletableFuture<R> before) {}

    private <I, R> List<CompletableFuture<R>> split(
            List<I> items, String token, Function<Part<I, R>, CompletableFuture<R>> send) {
        List<CompletableFuture<R>> parts = new ArrayList<>(items.size() / maxPerScript + 1);
        String follows = token;
        CompletableFuture<R> before = null;
        for (int from = 0; from < items.size(); from += maxPerScript) {
            String its = token(token, parts.size());
            before = send.apply(
                    new Part<>(items.subList(from, Math.min(items.size(), from + maxPerScript)), its, follows, before));
            parts.add(before);
            follows = its;
        }
        return parts;
    }

    private static String token(String token, int part) {
        return part == 0 ? token : token + '.' + part;
    }

    /**
     * Stores messages in parts, in their order. Where a part is refused, and so those behind it, and others are stored, its
     * messages are told so.
     *
     * @return fails as {@link #combine} does
     */
    public <I> CompletableFuture<InsertResult> insert(List<I> messages, String token, InsertSender<I> follower) {
        List<CompletableFuture<InsertResult>> parts = split(messages, token, part -> {
            CompletableFuture<InsertResult> sent =
                    follower.send(part.items, part.token, part.follows).toCompletableFuture();
            CompletableFuture<InsertResult> before = part.before;
            return before == null
                    ? sent
                    : sent.thenCompose(result -> result.items().isEmpty()
                            ? before.thenCompose(done -> follower.send(part.items, part.token, part.token))
                            : CompletableFuture.completedFuture(result));
        });
        if (parts.size() == 1) {
            return parts.get(0);
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> {
                    int stored = 0;
                    while (stored < parts.size() && !parts.get(stored).isCompletedExceptionally()) {
                        stored++;
                    }
                    // One behind a refused one is there only if an earlier attempt of the call has stored both.
                    boolean some = stored > 0
                            && parts.subList(stored, parts.size()).stream()
                                    .allMatch(CompletableFuture::isCompletedExceptionally);
                    List<CompletableFuture<InsertResult>> told = new ArrayList<>(parts.size());
                    int left = messages.size();
                    for (CompletableFuture<InsertResult> part : parts) {
                        int size = Math.min(left, maxPerScript);
                        left -= size;
                        told.add(
                                some && failure(part) instanceof StorageException refusal
                                        ? CompletableFuture.completedFuture(refused(refusal, size))
                                        : part);
                    }
                    return combine("push", told);
                })
                .thenCompose(all -> all)
                .thenApply(ScriptChain::merged);
    }

    private static InsertResult refused(StorageException refusal, int size) {
        return InsertResult.builder()
                .items(Collections.nCopies(size, InsertResult.Item.failed(refusal)))
                .build();
    }

    private static InsertResult merged(List<InsertResult> parts) {
        List<InsertResult.Item> items = new ArrayList<>();
        long latest = 0;
        for (InsertResult part : parts) {
            items.addAll(part.items());
            latest = Math.max(latest, part.storageMillis());
        }
        return InsertResult.builder().items(items).storageMillis(latest).build();
    }

    /**
     * What all parts answered. Where some are done and others were refused, the call is neither: it fails with an
     * {@link OutcomeUnknownException}, and repeated it does the rest.
     *
     * @param step for messages
     */
    public <R> CompletableFuture<List<R>> combine(String step, List<CompletableFuture<R>> parts) {
        if (parts.size() == 1) {
            return parts.get(0).thenApply(List::of);
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).handle((done, failure) -> {
            if (failure == null) {
                return parts.stream().map(CompletableFuture::join).toList();
            }
            throw failure(step, parts);
        });
    }

    private <R> RuntimeException failure(String step, List<CompletableFuture<R>> parts) {
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
        return partlyDone(step, refused == null ? new IllegalStateException("no reason is known") : refused);
    }

    /** Why a call of which a part is done has failed: so its outcome is unknown, and repeated it does the rest. */
    public OutcomeUnknownException partlyDone(String step, Throwable failure) {
        Throwable cause = RedisErrors.unwrap(failure);
        return cause instanceof OutcomeUnknownException unknown
                ? unknown
                : new OutcomeUnknownException(
                        step + " on queue '" + queue + "' is done in part; the rest was refused: " + cause.getMessage(),
                        queue,
                        null,
                        cause);
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
