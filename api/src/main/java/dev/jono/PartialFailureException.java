package dev.jono;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some items of a list failed; the others are done. {@link #results()} has the result of each item. */
public final class PartialFailureException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final transient List<Result> results;

    /**
     * An exception for one list.
     *
     * @param step the operation, such as push or ack
     * @param queue the queue concerned
     * @param results one per item, in the order of the list
     */
    public PartialFailureException(String step, String queue, List<Result> results) {
        super(message(step, queue, results), queue, null, firstFailure(results));
        this.results = Collections.unmodifiableList(new ArrayList<>(results));
    }

    private static String message(String step, String queue, List<Result> results) {
        long failed = results.stream().filter(r -> r.failure() != null).count();
        Throwable first = firstFailure(results);
        return step + " of " + results.size() + " items on queue '" + queue + "': " + failed
                + " failed, the others are done; first: " + (first == null ? "none" : first.getMessage());
    }

    private static @Nullable Throwable firstFailure(List<Result> results) {
        return results.stream()
                .map(Result::failure)
                .filter(f -> f != null)
                .findFirst()
                .orElse(null);
    }

    /** The results, one per item, in the order of the list. Empty only after serialization of this exception. */
    public List<Result> results() {
        return results == null ? List.of() : results;
    }

    /** The result of one item. */
    public static final class Result {
        private final @Nullable String id;
        private final boolean duplicate;
        private final @Nullable RuntimeException failure;

        private Result(@Nullable String id, boolean duplicate, @Nullable RuntimeException failure) {
            this.id = id;
            this.duplicate = duplicate;
            this.failure = failure;
        }

        /**
         * Returns the result of an item that is done.
         *
         * @param id the id of its message
         */
        public static Result done(String id) {
            return new Result(id, false, null);
        }

        /**
         * Returns the result of a push that was not stored, because its unique key is remembered; see {@link
         * PushResult#duplicate()}.
         *
         * @param id the id of the message that was stored first
         */
        public static Result duplicate(String id) {
            return new Result(id, true, null);
        }

        /**
         * Returns the result of an item that failed.
         *
         * @param id the id of its message; null if the message was not stored
         * @param failure the reason
         */
        public static Result failed(@Nullable String id, RuntimeException failure) {
            return new Result(id, false, failure);
        }

        /** The id of the message; null if the message was not stored. */
        public @Nullable String id() {
            return id;
        }

        /** Whether a push was not stored, because its unique key is remembered. */
        public boolean duplicate() {
            return duplicate;
        }

        /** The reason of the failure; null if the item is done. */
        public @Nullable RuntimeException failure() {
            return failure;
        }
    }
}
