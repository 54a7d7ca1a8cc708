package dev.jono.support.mongo;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.session.ServerSession;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A session for one write that can be sent several times and takes effect once. A replica set remembers the number of
 * the last write of each session, also over a change of the primary, and does not repeat a write with the same number.
 * The driver uses this to repeat a write once. This session gives the same number to all attempts, so that the write
 * can be repeated as long as the session lives. Each attempt must be the same single command. Not thread-safe.
 */
public final class PinnedSession implements AutoCloseable {
    private final MongoLink link;
    private final ClientSession session;
    private final ClientSession pinned;
    private long number = -1;
    private boolean used;

    /** Begins a session. */
    public PinnedSession(MongoLink link) {
        this.link = link;
        this.session = link.client()
                .startSession(
                        ClientSessionOptions.builder().causallyConsistent(false).build());
        ServerSession server = new PinnedNumber(session.getServerSession());
        this.pinned = (ClientSession) Proxy.newProxyInstance(
                ClientSession.class.getClassLoader(),
                new Class<?>[] {ClientSession.class},
                (proxy, method, arguments) ->
                        method.getName().equals("getServerSession") ? server : call(method, arguments));
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(session, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /**
     * Whether the write had a number. A client of the application may send writes without numbers; a repetition would
     * then be another write.
     */
    public boolean numbered() {
        return link.retriesWrites() || number >= 0;
    }

    /** The session for one attempt. */
    public ClientSession attempt() {
        used = false;
        return pinned;
    }

    /** Ends the session; then the write cannot be repeated. */
    @Override
    public void close() {
        session.close();
    }

    private final class PinnedNumber implements ServerSession {
        private final ServerSession real;

        PinnedNumber(ServerSession real) {
            this.real = real;
        }

        @Override
        public BsonDocument getIdentifier() {
            return real.getIdentifier();
        }

        @Override
        public long getTransactionNumber() {
            return number;
        }

        @Override
        public long advanceTransactionNumber() {
            if (used) {
                throw new IllegalStateException("an attempt may send only one command");
            }
            used = true;
            if (number < 0) {
                number = real.advanceTransactionNumber();
            }
            return number;
        }

        @Override
        public boolean isClosed() {
            return real.isClosed();
        }

        @Override
        public void markDirty() {
            real.markDirty();
        }

        @Override
        public boolean isMarkedDirty() {
            return real.isMarkedDirty();
        }
    }
}
