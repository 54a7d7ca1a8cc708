package dev.jono.jobs.mongo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions of a store whose commits had no answer. Such a transaction can still be open in the server, where it would stand in the
 * way of the repeated write, or take effect after it. So each write first commits them again, until the server answers.
 * Thread-safe.
 */
final class UnansweredCommits {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.jobs");

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Queue<Supplier<? extends Optional<?>>> commits = new ArrayDeque<>();

    /** Remembers the commit of a transaction that runs now, if it has no answer. */
    <R> RepeatableCalls.Running<R> running() {
        return this::remember;
    }

    private <R> void remember(Supplier<Optional<R>> commit) {
        lock.lock();
        try {
            commits.add(commit);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Commits these transactions again. Another thread that does so is waited for.
     *
     * @throws StorageException if one of them still has no answer
     */
    void settle() {
        lock.lock();
        try {
            while (!commits.isEmpty()) {
                boolean done = commits.element().get().isPresent();
                commits.remove();
                LOG.info("a change of records whose outcome was unknown was {}done", done ? "" : "not ");
            }
        } catch (OutcomeUnknownException unanswered) {
            throw new StorageException(
                    "nothing was changed, because an earlier change is in doubt: " + unanswered.getMessage(),
                    null,
                    null,
                    unanswered);
        } finally {
            lock.unlock();
        }
    }
}
