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
 * Sends one call of the engine as several scripts, one after another without waiting. No script holds up Redis for long, and
 * Redis has the next one at hand while the client reads the result of the first.
 *
 * <p>Redis runs the scripts in the order in which they are sent, unless one must be sent again: by its text, because Redis has
 * forgotten it, to another node, or over a new connection. Where the order matters, a script names the one before, or waits
 * for it. Each script has a token derived from the call's, so that the whole call can be repeated. Thread-safe.
 */
public final class ScriptChain {
    private final String queue;
    private final int maxPerScript;

    /**
     * A chain for the calls of a queue.
     *
     * @param queue for exception messages
     * @param maxPerScript how many messages one script may work on
     */
    public ScriptChain(String queue, int maxPerScript) {
        this.queue = queue;
        this.maxPerScript = maxPerScript;
    }

    /** Sends a part of a list. */
    @FunctionalInterface
    public interface Sender<I, R> {
        /** Sends it under the part's own token. */
        CompletionStage<R> send(List<I> part, String token);
    }

    /** Sends a part of a list that must be stored after the part before. */
    @FunctionalInterface
    public interface InsertSender<I> {
        /**
         * Sends it.
         *
         * @param previous token of the part before; the first part's own token
         * @return a result without items, with nothing stored, if Redis does not remember the part before
         */
        CompletionStage<InsertResult> send(List<I> part, String token, String previous);
    }

    /** Sends a script that returns messages, after those that the script before returns. */
    @FunctionalInterface
    public interface ClaimSender<R> {
        /**
         * Sends it.
         *
         * @param max how many messages the script may return
         * @param previous token of the script before; the first script's own token
         * @return an empty result, with nothing taken, if Redis does not remember the script before
         */
        CompletionStage<R> send(int max, String token, String previous);
    }

    /**
     * Sends a list in parts that may run in any order. Returns their results in the order of the list. Fails as {@link
     * #combine} does.
     *
     * @param step for exception messages
     */
    public <I, R> CompletableFuture<List<R>> sendInAnyOrder(
            String step, List<I> items, String token, Sender<I, R> sender) {
        return combine(
                step,
                split(items, token, part -> sender.send(part.items, part.token).toCompletableFuture()));
    }

    /**
     * Asks for messages with several scripts. Returns their results in order. Fails as {@link #combine} does.
     *
     * @param step for exception messages
     * @param count how many messages all scripts together may return
     */
    public <R> CompletableFuture<List<R>> claim(String step, int count, String token, ClaimSender<R> sender) {
        List<CompletableFuture<R>> parts = new ArrayList<>(count / maxPerScript + 1);
        String previous = token;
        for (int left = count; left > 0; left -= maxPerScript) {
            String own = token(token, parts.size());
            parts.add(sender.send(Math.min(left, maxPerScript), own, previous).toCompletableFuture());
            previous = own;
        }
        return combine(step, parts);
    }

    /** Sends a list in parts, each after the result of the one before. A part fails if the one before fails. */
    public <I, R> List<CompletableFuture<R>> sendInOrder(List<I> items, String token, Sender<I, R> sender) {
        return split(items, token, part -> {
            Supplier<CompletableFuture<R>> send =
                    () -> sender.send(part.items, part.token).toCompletableFuture();
            return part.previousResult == null ? send.get() : part.previousResult.thenCompose(done -> send.get());
        });
    }

    /**
     * A part of a list.
     *
     * @param previous token of the part before; the first part's own token
     * @param previousResult the result of the part before; null for the first part
     */
    private record Part<I, R>(
            List<I> items,
            String token,
            String previous,
            @Nullable CompletableFuture<R> previousResult) {}

    private <I, R> List<CompletableFuture<R>> split(
            List<I> items, String token, Function<Part<I, R>, CompletableFuture<R>> send) {
        List<CompletableFuture<R>> parts = new ArrayList<>(items.size() / maxPerScript + 1);
        String previous = token;
        CompletableFuture<R> previousResult = null;
        for (int from = 0; from < items.size(); from += maxPerScript) {
            String own = token(token, parts.size());
            List<I> some = items.subList(from, Math.min(items.size(), from + maxPerScript));
            previousResult = send.apply(new Part<>(some, own, previous, previousResult));
            parts.add(previousResult);
            previous = own;
        }
        return parts;
    }

    private static String token(String token, int part) {
        return part == 0 ? token : token + '.' + part;
    }

    /**
     * Stores messages in parts, in their order. If Redis refuses a part and those after it, and has stored the parts before,
     * the items of the refused parts carry the refusal.
     *
     * @return fails as {@link #combine} does
     */
    public <I> CompletableFuture<InsertResult> insert(List<I> messages, String token, InsertSender<I> sender) {
        List<CompletableFuture<InsertResult>> parts = split(messages, token, part -> insertPart(part, sender));
        if (parts.size() == 1) {
            return parts.get(0);
        }
        return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> combine("push", withRefusedItems(parts, messages.size())))
                .thenCompose(all -> all)
                .thenApply(ScriptChain::merged);
    }

    /** Sends a part, and sends it again on its own if it overtook the part before. */
    private static <I> CompletableFuture<InsertResult> insertPart(Part<I, InsertResult> part, InsertSender<I> sender) {
        CompletableFuture<InsertResult> sent =
                sender.send(part.items, part.token, part.previous).toCompletableFuture();
        CompletableFuture<InsertResult> previous = part.previousResult;
        if (previous == null) {
            return sent;
        }
        return sent.thenCompose(result -> result.items().isEmpty()
                ? previous.thenCompose(done -> sender.send(part.items, part.token, part.token))
                : CompletableFuture.completedFuture(result));
    }

    /** The parts, where a refused one after a stored one becomes a result whose items are all refused. */
    private List<CompletableFuture<InsertResult>> withRefusedItems(
            List<CompletableFuture<InsertResult>> parts, int messages) {
        if (!storedThenFailed(parts)) {
            return parts;
        }
        List<CompletableFuture<InsertResult>> reported = new ArrayList<>(parts.size());
        int left = messages;
        for (CompletableFuture<InsertResult> part : parts) {
            int size = Math.min(left, maxPerScript);
            left -= size;
            reported.add(
                    failure(part) instanceof StorageException refusal
                            ? CompletableFuture.completedFuture(refused(refusal, size))
                            : part);
        }
        return reported;
    }

    /**
     * Whether the first parts are stored and all others have failed. A part stored after a failed one means that an earlier
     * attempt of the call has stored both.
     */
    private static boolean storedThenFailed(List<CompletableFuture<InsertResult>> parts) {
        int stored = 0;
        while (stored < parts.size() && !parts.get(stored).isCompletedExceptionally()) {
            stored++;
        }
        return stored > 0
                && parts.subList(stored, parts.size()).stream().allMatch(CompletableFuture::isCompletedExceptionally);
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
     * The results of all parts. If some are done and others are refused, the call fails with an {@link
     * OutcomeUnknownException}; a repetition does the rest.
     *
     * @param step for exception messages
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
        Throwable first = null;
        boolean anyDone = false;
        for (CompletableFuture<R> part : parts) {
            Throwable failure = failure(part);
            if (failure instanceof OutcomeUnknownException unknown) {
                return unknown;
            }
            anyDone |= failure == null;
            first = first == null ? failure : first;
        }
        if (!anyDone && first instanceof RuntimeException refusal) {
            return refusal;
        }
        return partlyDone(step, first == null ? new IllegalStateException("the reason is unknown") : first);
    }

    /** The exception for a call of which a part is done and another has failed. A repetition does the rest. */
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
