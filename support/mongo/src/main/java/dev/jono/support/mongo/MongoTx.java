package dev.jono.support.mongo;

import com.mongodb.client.ClientSession;
import dev.jono.Tx;
import java.util.Objects;

/**
 * A transaction of the application on the MongoDB that holds the queues, for {@link dev.jono.PushOptions#in}. The session must
 * come from the client that Jono uses, so hand in the application's client with {@link MongoStorage}; the server must be a
 * replica set.
 *
 * <pre>{@code
 * session.withTransaction(() -> {
 *     orders.insertOne(session, order);
 *     mails.push(order.mail(), PushOptions.none().in(tx));
 *     return order;
 * });
 * tx.committed();
 * }</pre>
 *
 * <p>An exception of the driver that has the label {@code TransientTransactionError}, a conflict with another transaction
 * for example, leaves the push as it is, so that {@code withTransaction} sees it and tries again.
 */
public final class MongoTx extends Tx {
    private final ClientSession session;

    private MongoTx(ClientSession session) {
        this.session = Objects.requireNonNull(session, "session");
    }

    /** The transaction of a session. It may begin later, but before the first push. */
    public static MongoTx of(ClientSession session) {
        return new MongoTx(session);
    }

    /** The session. */
    public ClientSession session() {
        return session;
    }
}
