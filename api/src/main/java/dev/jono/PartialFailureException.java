package dev.jono;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some items of a list failed; the others are done. {@link #results()} holds what became of each. */
public final class PartialFailureException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final transient List<Result> results;

    /**
     * For one list.
     *
     * @param step what was done: push, ack, …
     * @param results one per item, in the list's order
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

    /** One per item, in the list's order; empty only after serialization of this exception. */
    public List<Result> results() {
        return results == null ? List.of() : results;
    }

    /** What became of one item. */
    public static final class Result {
        private final @Nullable String id;
        private final @Nullable RuntimeException failure;

        private Result(@Nullable String id, @Nullable RuntimeException failure) {
            this.id = id;
            this.failure = failure;
        }

        /** It is done, for the message of this id. */
        public static Result done(String id) {
            return new Result(id, null);
        }

        /** It failed. */
        public static Result failed(@Nullable String id, RuntimeException failure) {
            return new Result(id, failure);
        }

        /** The message's id; null when it was not stored. */
        public @Nullable String id() {
            return id;
        }

        /** Why it failed; null when it is done. */
        public @Nullable RuntimeException failure() {
            return failure;
        }
    }
}
