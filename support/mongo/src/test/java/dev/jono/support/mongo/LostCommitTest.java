package dev.jono.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoCollection;
import dev.jono.OutcomeUnknownException;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.testkit.server.MongoFailPoint;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import dev.jono.testkit.server.TcpProxy;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A commit without an answer has an unknown outcome, until the server can be asked again. */
@Tag("fault")
@Execution(ExecutionMode.SAME_THREAD) // these share a server
class LostCommitTest {
    @Test
    void commitHasAnUnknownOutcomeUntilTheServerCanBeAsked() {
        try (MongoReplicaSet set = MongoFailPoint.replicaSet()) {
            MongoServer node = set.nodes().get(0);
            try (TcpProxy proxy = TcpProxy.to("127.0.0.1", node.port());
                    MongoLink link = link(proxy.port(), "2s")) {
                MongoCollection<RawBsonDocument> collection = link.collection("c");
                Later later = new Later();
                try (MongoFailPoint lost = MongoFailPoint.unconfirmed(set, "commitTransaction", 2)) {
                    assertThat(lost).isNotNull();
                    assertThatThrownBy(() -> new Transactions(link)
                                    .run(
                                            "move",
                                            "orders",
                                            session -> {
                                                collection.insertOne(session, document());
                                                return "done";
                                            },
                                            later))
                            .isInstanceOf(MongoException.class);
                }
                proxy.refuse();
                proxy.cutAll();
                assertThatThrownBy(later::ask)
                        .isInstanceOf(OutcomeUnknownException.class)
                        .hasMessageContainingAll("move", "orders");
                proxy.accept();
                Awaitility.await("the server to be found again")
                        .atMost(Duration.ofSeconds(20))
                        .ignoreException(OutcomeUnknownException.class)
                        .until(() -> later.ask().equals(Optional.of("done")));
                assertThat(collection.countDocuments()).isEqualTo(1);
            }
        }
    }

    private static MongoLink link(int port, String timeout) {
        return MongoLink.open(
                PluginConfig.builder()
                        .url(ConnectionUrl.parse("mongo:mongodb://127.0.0.1:" + port
                                + "/jono?directConnection=true&jono.timeout=" + timeout))
                        .executor(Runnable::run)
                        .build(),
                Set.of());
    }

    private static RawBsonDocument document() {
        return new RawBsonDocument(BsonDocument.parse("{_id: 1}"), new BsonDocumentCodec());
    }

    /**
     * The server ends commands of a transaction that is too old; after a commit it ends only the wait for the majority.
     */
    @Test
    void transactionThatExceedsItsLifetimeIsTriedAgain() {
        try (MongoReplicaSet set = MongoFailPoint.replicaSet();
                MongoLink link = link(set.nodes().get(0).port(), "20s");
                MongoFailPoint first = MongoFailPoint.refusing(set, "insert", 0, MongoErrors.TRANSACTION_TOO_OLD)) {
            assertThat(first).isNotNull();
            MongoCollection<RawBsonDocument> collection = link.collection("c");
            AtomicInteger attempts = new AtomicInteger();
            String done = new Transactions(link)
                    .run(
                            "move",
                            "orders",
                            session -> {
                                if (attempts.incrementAndGet() == 3) { // replaces the first fail point
                                    MongoFailPoint.unconfirmedWith(
                                            set, "commitTransaction", MongoErrors.TRANSACTION_TOO_OLD);
                                }
                                collection.insertOne(session, document());
                                return "done";
                            },
                            new Later());
            assertThat(done).isEqualTo("done");
            assertThat(attempts).hasValue(3);
            assertThat(collection.countDocuments()).isEqualTo(1);
        }
    }

    private static final class Later implements RepeatableCalls.Running<String> {
        private @Nullable Supplier<Optional<String>> later;

        @Override
        public void onRepeat(Supplier<Optional<String>> outcome) {
            later = outcome;
        }

        Optional<String> ask() {
            Supplier<Optional<String>> outcome = later;
            assertThat(outcome).isNotNull();
            return outcome == null ? Optional.empty() : outcome.get();
        }
    }

    @Test
    void operationTimeoutOfTheDriverLeavesTheOutcomeUnknown() {
        assertThat(MongoErrors.mayHaveTakenEffect(new MongoOperationTimeoutException("timeoutMS")))
                .isTrue();
        assertThat(MongoErrors.mayHaveTakenEffect(new MongoTimeoutException("no server")))
                .isFalse();
    }
}
