package dev.jono.support.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
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
     * @param result what it returns if it was committed
     * @param answered whether it was committed for certain
     */
    private record Call<R>(R result, boolean answered, long sinceNanos) {}

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
        Call<R> before = find(token);
        if (before != null && before.answered) {
            return before.result;
        }
        if (before != null && nanos.getAsLong() - before.sinceNanos > REMEMBERED_NANOS) {
            throw lost(step, queue);
        }
        try {
            R result = link.transaction(step, queue, tx -> {
                if (before != null && !store(tx, token)) {
                    return before.result;
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
            Call<R> other = find(token);
            if (other == null) {
                throw lost(step, queue);
            }
            return other.result;
        }
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
