package dev.jono.support.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One write command in a session of its own. If its answer is lost, the command can be sent again: it then takes effect
 * once, and the server answers as it did the first time. Not thread-safe.
 *
 * @param <T> the answer
 */
public final class RepeatableWrite<T> {
    private final MongoLink link;
    private final String step;
    private final String queue;
    private final Function<@Nullable ClientSession, T> command;

    /**
     * Prepares a write.
     *
     * @param step the step for error messages
     * @param queue the queue for error messages
     * @param command sends a single command, the same each time; its session is null on a standalone server
     */
    public RepeatableWrite(MongoLink link, String step, String queue, Function<@Nullable ClientSession, T> command) {
        this.link = link;
        this.step = step;
        this.queue = queue;
        this.command = command;
    }

    /**
     * Sends the command.
     *
     * @param unanswered is called before this method fails with an unknown outcome. Its argument sends the command
     *     again and returns the answer; empty if the server cannot recognize the command, because it is standalone or
     *     the write had no number. After its first success it returns the same answer without the server.
     * @throws MongoException if the driver fails
     */
    public T send(Consumer<Supplier<Optional<T>>> unanswered) {
        PinnedSession session = link.replicated() ? new PinnedSession(link) : null;
        boolean done = true;
        try {
            return command.apply(session == null ? null : session.attempt());
        } catch (MongoException failure) {
            if (MongoErrors.mayHaveTakenEffect(failure)) {
                done = session == null || !session.numbered();
                unanswered.accept(session == null || done ? Optional::empty : new Repetition(session));
            }
            throw failure;
        } finally {
            if (done && session != null) {
                session.close();
            }
        }
    }

    private final class Repetition implements Supplier<Optional<T>> {
        private final PinnedSession session;
        private Optional<T> answer = Optional.empty();

        Repetition(PinnedSession session) {
            this.session = session;
        }

        @Override
        public Optional<T> get() {
            if (answer.isEmpty()) {
                answer = Optional.of(link.call(step, queue, true, this::sendAgain));
                session.close();
            }
            return answer;
        }

        private T sendAgain() {
            try {
                return command.apply(session.attempt());
            } catch (MongoException failure) {
                throw MongoErrors.outcomeUnknown(step, queue, failure); // any failure leaves the first attempt in doubt
            }
        }
    }
}
