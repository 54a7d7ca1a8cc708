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
 * A session for one write that can be sent again. A server of a replica set remembers of each session the last write by
 * its number, over a change of the primary too; sent again under the same number, a write that is done is not done again.
 * The driver does that by itself, once. This session gives the same number to all attempts of the one write, so that it
 * can be sent again for as long as the session lives. Each attempt must be the same single command. Not thread-safe.
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
     * Whether what was sent had a number: a client that was handed in may be one that gives none. Sent again without one it
     * would be another write.
     */
    public boolean numbered() {
        return link.retriesWrites() || number >= 0;
    }

    /** The session for one attempt. */
    public ClientSession attempt() {
        used = false;
        return pinned;
    }

    /** Forgets it. */
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
                throw new IllegalStateException("a second command in an attempt that may have one");
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
