package dev.jono.support.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that take effect once, also if they are repeated after a lost answer.
 *
 * <p>Each transaction stores the token of its call, and this process remembers the result before the commit. If the commit
 * is not answered, the repetition begins with storing the token again. The server then says whether the first transaction
 * was committed, and waits for it if it still runs. If it was, the remembered result is the answer. The memory of this process
 * is enough, because no other process repeats its calls. Thread-safe.
 *
 * @param <R> the result of a call
 */
public final class RepeatableTransactions<R> {
    /** How long the server keeps tokens. */
    public static final long KEPT_MILLIS = TimeUnit.MINUTES.toMillis(5);

    private static final String STORE =
            "INSERT INTO jono.call (token, at) VALUES (?, jono.millis()) ON CONFLICT DO NOTHING";

    /** The constraint that a token violates which is stored already. */
    private static final String PRIMARY_KEY = "call_pkey";

    /** A call whose commit was not answered is remembered for a shorter time than the server keeps its token. */
    private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(4);

    private static final int MAX_UNANSWERED = 256;

    private final PostgresLink link;
    private final int maxAnswered;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<String, Call<R>> calls = new LinkedHashMap<>();

    /**
     * What is known of a call.
     *
     * @param result what it returns if it was committed; null if only the database knows
     * @param answered whether it was committed for certain
     */
    private record Call<R>(@Nullable R result, boolean answered, long sinceNanos) {}

    /**
     * Without calls.
     *
     * @param maxAnswered how many answered calls are remembered; few if their results hold payloads
     * @param nanos the nanoseconds of a clock that does not go back
     */
    public RepeatableTransactions(PostgresLink link, int maxAnswered, LongSupplier nanos) {
        this.link = link;
        this.maxAnswered = maxAnswered;
        this.nanos = nanos;
    }

    /**
     * Runs work as one transaction, or finds out what became of it if it has run before.
     *
     * @param step what is done, for messages
     * @param changing whether a result says that something was changed
     */
    public R run(String step, String queue, String token, SqlWork<R> work, Predicate<R> changing) {
        Call<R> before = findRecent(step, queue, token);
        if (before != null && before.answered) {
            return Objects.requireNonNull(before.result);
        }
        try {
            R result = link.transaction(step, queue, tx -> {
                if (before != null && !store(tx, token)) {
                    return Objects.requireNonNull(before.result);
                }
                R done = work.run(tx);
                if (before == null && changing.test(done) && !store(tx, token)) {
                    throw new CommittedException(queue);
                }
                remember(token, new Call<>(done, false, nanos.getAsLong()));
                return done;
            });
            remember(token, new Call<>(result, true, nanos.getAsLong()));
            return result;
        } catch (CommittedException otherThread) {
            return resultOfOtherThread(step, queue, token);
        }
    }

    /** A call that is one statement, which stores its token together with its effect. That saves a round trip or two. */
    public interface OneStatement<R> {
        /**
         * Runs the statement.
         *
         * @param token what to store in {@code jono.call}; null if it is stored already. The statement must fail if it is taken
         * @return null if this statement cannot do the call; then it must not have changed anything, and not have stored the token
         */
        @Nullable R run(SqlTransaction tx, @Nullable String token) throws SQLException;

        /** Reads what the call has done, after its statement was committed and the answer was lost. */
        R recover(SqlTransaction tx) throws SQLException;
    }

    /**
     * Runs a call of one statement, or finds out what became of it if it has run before.
     *
     * @param step what is done, for messages
     * @return null if the statement cannot do the call, and nothing was done
     */
    public @Nullable R runStatement(String step, String queue, String token, OneStatement<R> call) {
        Call<R> before = findRecent(step, queue, token);
        if (before != null && before.answered) {
            return Objects.requireNonNull(before.result);
        }
        Optional<R> result;
        if (before == null) {
            remember(token, new Call<>(null, false, nanos.getAsLong()));
            try {
                result = link.single(step, queue, true, tx -> Optional.ofNullable(runOnce(queue, token, call, tx)));
            } catch (CommittedException otherThread) {
                return resultOfOtherThread(step, queue, token);
            } catch (StorageException notDone) {
                forget(token);
                throw notDone;
            }
        } else {
            result = runAgain(step, queue, token, call, before);
        }
        if (result.isEmpty()) {
            forget(token);
            return null;
        }
        remember(token, new Call<>(result.get(), true, nanos.getAsLong()));
        return result.get();
    }

    private Optional<R> runAgain(String step, String queue, String token, OneStatement<R> call, Call<R> before) {
        try {
            return link.transaction(step, queue, tx -> {
                if (!store(tx, token)) {
                    return Optional.of(before.result == null ? call.recover(tx) : before.result);
                }
                R result = call.run(tx, null);
                if (result == null) {
                    throw new NotDoneException(queue);
                }
                return Optional.of(result);
            });
        } catch (NotDoneException tokenIsNotStored) {
            return Optional.empty();
        }
    }

    /** The statement cannot do the call, so the token must not be stored. The transaction is rolled back. */
    private static final class NotDoneException extends JonoException {
        private static final long serialVersionUID = 1L;

        NotDoneException(String queue) {
            super("a call on queue '" + queue + "' is not done by one statement", queue, null, null);
        }
    }

    private @Nullable R runOnce(String queue, String token, OneStatement<R> call, SqlTransaction tx)
            throws SQLException {
        try {
            return call.run(tx, token);
        } catch (SQLException failure) {
            if (PostgresErrors.violates(failure, PRIMARY_KEY)) {
                throw new CommittedException(queue);
            }
            throw failure;
        }
    }

    private R resultOfOtherThread(String step, String queue, String token) {
        Call<R> other = find(token);
        if (other == null || other.result == null) {
            throw lost(step, queue);
        }
        return other.result;
    }

    /** What is known of a call that can be repeated; null if it is new. */
    private @Nullable Call<R> findRecent(String step, String queue, String token) {
        Call<R> call = find(token);
        if (call != null && !call.answered && nanos.getAsLong() - call.sinceNanos > REMEMBERED_NANOS) {
            throw lost(step, queue);
        }
        return call;
    }

    /** The same call was committed by another thread while this one ran. This one is rolled back. */
    private static final class CommittedException extends JonoException {
        private static final long serialVersionUID = 1L;

        CommittedException(String queue) {
            super("a repeated call on queue '" + queue + "' was committed meanwhile", queue, null, null);
        }
    }

    private static OutcomeUnknownException lost(String step, String queue) {
        return new OutcomeUnknownException(
                step + " on queue '" + queue + "' was repeated too late to find out what became of it",
                queue,
                null,
                null);
    }

    /** Stores a token; false if it is stored. Waits for a transaction that has stored it and still runs. */
    private static boolean store(SqlTransaction tx, String token) throws SQLException {
        try (PreparedStatement store = tx.prepare(STORE)) {
            store.setString(1, token);
            return store.executeUpdate() == 1;
        }
    }

    private @Nullable Call<R> find(String token) {
        lock.lock();
        try {
            return calls.get(token);
        } finally {
            lock.unlock();
        }
    }

    private void forget(String token) {
        lock.lock();
        try {
            calls.remove(token);
        } finally {
            lock.unlock();
        }
    }

    private void remember(String token, Call<R> call) {
        lock.lock();
        try {
            calls.remove(token);
            calls.put(token, call);
            forgetEldest(call.answered, call.answered ? maxAnswered : MAX_UNANSWERED);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void forgetEldest(boolean answered, int max) {
        long count = calls.values().stream()
                .filter(call -> call.answered == answered)
                .count();
        Iterator<Call<R>> eldest = calls.values().iterator();
        while (count > max) {
            if (eldest.next().answered == answered) {
                eldest.remove();
                count--;
            }
        }
    }
}
