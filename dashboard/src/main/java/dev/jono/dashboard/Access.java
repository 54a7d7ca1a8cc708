package dev.jono.dashboard;

import org.jspecify.annotations.Nullable;

/**
 * Decides who may do what. The dashboard asks before each step, and before it shows a button. Called on threads of the HTTP server,
 * also concurrently; must be fast.
 */
@FunctionalInterface
public interface Access {
    /**
     * Whether a user may do something.
     *
     * @param user the name of the user as the HTTP server has authenticated it; null if it has not
     * @param operation what the user wants to do
     * @param target the name of the queue, or of the type of the job; empty if the operation is not about one of them
     */
    boolean allows(@Nullable String user, Operation operation, String target);

    /** Everybody may do everything. */
    static Access all() {
        return (user, operation, target) -> true;
    }

    /** Everybody may look, and nobody may change anything. */
    static Access readOnly() {
        return (user, operation, target) -> !operation.isChange();
    }
}
