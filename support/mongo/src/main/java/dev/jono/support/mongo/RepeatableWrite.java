package dev.jono.support.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One command that changes something, in a session of its own: sent again because its answer was lost, it is not done
 * twice, and tells what came of it the first time. Not thread-safe.
 *
 * @param <T> what it answers
 */
public final class RepeatableWrite<T> {
    private final MongoLink link;
    private final String step;
    private final String queue;
    private final Function<@Nullable ClientSession, T> command;

    /**
     * Nothing is sent yet.
     *
     * @param step for messages
     * @param queue for messages
     * @param command a single command, the same each time; its session is null on a standalone server
     */
    public RepeatableWrite(MongoLink link, String step, String queue, Function<@Nullable ClientSession, T> command) {
        this.link = link;
        this.step = step;
        this.queue = queue;
        this.command = command;
    }

    /**
     * Sends it.
     *
     * @param unanswered is told, before this fails because nobody knows whether it was done, how to find out: that sends
     *     it again; empty where the server cannot know the command again, standalone or without a number; once it has
     *     not failed, it answers the same for good
     * @throws MongoException what the driver throws
     */
    public T send(Consumer<Supplier<Optional<T>>> unanswered) {
        PinnedSession session = link.replicated() ? new PinnedSession(link) : null;
        boolean over = true;
        try {
            return command.apply(session == null ? null : session.attempt());
        } catch (MongoException failure) {
            if (MongoErrors.unknown(failure)) {
                over = session == null || !session.numbered();
                unanswered.accept(session == null || over ? Optional::empty : new Again(session));
            }
            throw failure;
        } finally {
            if (over && session != null) {
                session.close();
            }
        }
    }

    private final class Again implements Supplier<Optional<T>> {
        private final PinnedSession session;
        private Optional<T> answer = Optional.empty();

        Again(PinnedSession session) {
            this.session = session;
        }

        @Override
        public Optional<T> get() {
            if (answer.isEmpty()) {
                answer = Optional.of(link.call(step, queue, true, this::again));
                session.close();
            }
            return answer;
        }

        private T again() {
            try {
                return command.apply(session.attempt());
            } catch (MongoException failure) {
                throw MongoErrors.begun(step, queue, failure); // whatever it is: of the first time it tells nothing
            }
        }
    }
}
