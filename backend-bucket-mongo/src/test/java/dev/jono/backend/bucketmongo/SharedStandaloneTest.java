package dev.jono.backend.bucketmongo;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.receipt;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.jono.spi.Backend;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.CommandHooks;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two processes hold messages of the same buckets, on a server without transactions. */
class SharedStandaloneTest {
    private final String database = TestDatabases.newName();
    private final String uri = MongoServer.sharedUri(database);
    private final CommandHooks hooks = new CommandHooks();
    private final MongoClient client = hooks.client(uri);
    private final RawBackend other =
            RawBackend.open(TestDatabases.url("bucket-mongo-safe", uri, "jono.one-database=true"));
    private final Backend backend = Fixture.over(client, database);
    private final QueueStore orders = Fixture.orders(backend);

    @BeforeEach
    void createIndexes() {
        other.insert("first");
        assertThat(other.take(1)).hasSize(1);
    }

    @AfterEach
    void drop() {
        backend.close();
        other.close();
        client.close();
        TestDatabases.standaloneClient().getDatabase(database).drop();
    }

    private static RestoreRequest restoring(List<StoredMessage> messages) {
        return RestoreRequest.builder().messages(messages).token(token()).build();
    }

    @Test
    void twoProcessesRestorePartsOfOneBucketAtOnce() {
        other.insert("a", "b", "c", "d");
        List<StoredMessage> mine = got(orders.take(claiming(2))).messages();
        List<StoredMessage> theirs = got(other.store().take(claiming(2))).messages();
        hooks.after("find", () -> got(other.store().restore(restoring(theirs))));
        got(orders.restore(restoring(mine)));
        assertThat(hooks.done()).isTrue();
        assertThat(other.take(9)).containsExactly("a", "b", "c", "d");
    }

    /** Other consumers can take the restored messages while the call repeats the rest. */
    @Test
    void restoredMessageThatAnotherProcessHasTakenIsNotRestoredAgain() {
        other.insert("a", "b");
        other.insert("c", "d");
        List<StoredMessage> mine = got(orders.take(claiming(3))).messages();
        assertThat(mine).hasSize(3);
        List<String> theirs = new ArrayList<>();
        hooks.after("find", () -> {
            theirs.addAll(other.take(1));
            hooks.after("insert", () -> theirs.addAll(other.take(2)));
        });
        got(orders.restore(restoring(mine)));
        assertThat(hooks.done()).isTrue();
        assertThat(theirs).containsExactly("d", "a", "b");
        assertThat(other.take(9)).containsExactly("c");
    }

    /** The release extends the lease first, which outdates the cached bucket. */
    @Test
    void releasedMessageIsNotAckedByItsOldReceipt() {
        other.insert("a", "b");
        other.insert("c", "d");
        List<StoredMessage> mine = new ArrayList<>();
        while (mine.size() < 4) {
            mine.addAll(got(orders.claim(claiming(4))).messages());
        }
        got(orders.extend(ExtendRequest.builder()
                .receipts(mine.stream().map(RawBackend::receipt).toList())
                .leaseMillis(1_000)
                .token(token())
                .build()));
        got(orders.release(ReleaseRequest.builder()
                .items(List.of(ReleaseRequest.Item.of(receipt(mine.get(0)), Due.in(0), true)))
                .token(token())
                .build()));
        assertThat(got(orders.ack(acking(mine.get(0), mine.get(2)))).outcomes())
                .containsExactly(Outcome.STALE, Outcome.DONE);
        assertThat(other.take(9)).containsExactly("a");
    }

    /** The own bucket is stored first; another process consumes it before the message leaves its old slot. */
    @Test
    void ownBucketThatAnotherProcessConsumedIsNotStoredAgain() {
        other.insert("a", "b");
        StoredMessage mine = got(orders.claim(claiming(1))).messages().get(0);
        List<Outcome> theirs = new ArrayList<>();
        hooks.after("update", () -> {
            StoredMessage[] all = other.claim(9).messages().toArray(StoredMessage[]::new);
            assertThat(all).hasSize(2);
            theirs.addAll(got(other.store().ack(acking(all))).outcomes());
        });
        got(orders.release(ReleaseRequest.builder()
                .items(List.of(ReleaseRequest.Item.of(receipt(mine), Due.in(0), true)))
                .token(token())
                .build()));
        assertThat(theirs).containsExactly(Outcome.DONE, Outcome.DONE);
        assertThat(other.take(9)).isEmpty();
        assertThat(TestDatabases.standaloneClient()
                        .getDatabase(database)
                        .getCollection("orders")
                        .countDocuments())
                .isZero();
    }
}
