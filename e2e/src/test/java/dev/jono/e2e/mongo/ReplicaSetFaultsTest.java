package dev.jono.e2e.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.e2e.faults.KeyedLoad;
import dev.jono.e2e.faults.Load;
import dev.jono.support.mongo.MongoStorage;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One of three nodes is lost or hangs under load. Each acknowledged message arrives exactly once, no call fails, and
 * nothing is left in the database.
 */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicaSetFaultsTest {
    private static final int SOME = 10;
    private static final Duration HANG = Duration.ofSeconds(5);

    private static MongoReplicaSet set;

    @BeforeAll
    static void start() {
        set = MongoReplicaSet.start(3);
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    /** Runs a load on these backends during the faults, which can wait until the load makes progress. */
    private static void underLoad(List<String> backends, Consumer<Runnable> strikes) {
        Map<String, Load> loads = new LinkedHashMap<>();
        try {
            for (String backend : backends) {
                String database = Urls.database();
                loads.put(database, new Load(Urls.of(backend, set.uri(database), "jono.timeout=5s")));
            }
            Runnable going = () -> loads.values().forEach(load -> load.awaitMore(SOME));
            going.run();
            strikes.accept(going);
            loads.values().forEach(Load::assertNothingIsLostOrDoubled);
        } finally {
            loads.values().forEach(Load::close);
        }
        assertNothingIsLeftBehind(loads.keySet());
    }

    /** Checks that no documents are left, not even uncounted ones, except history. */
    private static void assertNothingIsLeftBehind(Iterable<String> databases) {
        try (MongoClient client = MongoClients.create(set.uri("admin"))) {
            for (String name : databases) {
                MongoDatabase database = client.getDatabase(name);
                for (String collection : database.listCollectionNames().into(new ArrayList<>())) {
                    if (!collection.startsWith("keuss_")) { // signals and stats
                        assertThat(database.getCollection(collection)
                                        .find(Filters.exists("processed", false))
                                        .first())
                                .as("left in %s", collection)
                                .isNull();
                    }
                }
                database.drop();
            }
        }
    }

    @Test
    void primaryThatIsKilledTakesNothingAlong() {
        underLoad(List.of("mongo", "pl-mongo", "bucket-mongo", "bucket-mongo-safe"), going -> {
            MongoServer primary = set.awaitPrimary();
            primary.kill();
            going.run();
            primary.restart();
        });
    }

    @Test
    void primaryThatIsKilledKeepsTheOrderOfKeys() {
        try (KeyedLoad load = new KeyedLoad(Urls.of("mongo", set.uri(Urls.database()), "jono.timeout=5s"))) {
            load.awaitMore(SOME);
            MongoServer primary = set.awaitPrimary();
            primary.kill();
            load.awaitMore(SOME);
            primary.restart();
            load.assertNothingIsLostAndOrderIsKept();
        }
    }

    @Test
    void lossOfASecondaryAndAStepDownAreNotNoticed() {
        underLoad(List.of("ps-mongo", "bucket-mongo"), going -> {
            MongoServer primary = set.awaitPrimary();
            MongoServer secondary = set.nodes().stream()
                    .filter(node -> node != primary)
                    .findFirst()
                    .orElseThrow();
            secondary.kill();
            going.run();
            secondary.restart();
            set.stepDown();
            going.run();
        });
    }

    /** The others elect a new primary. When the old one resumes, its answers are those of a deposed primary. */
    @Test
    void primaryThatHangsIsReplacedAndNothingIsDoneTwice() {
        underLoad(List.of("mongo", "bucket-mongo-safe"), going -> {
            MongoServer primary = set.awaitPrimary();
            primary.suspend();
            CompletableFuture.runAsync(
                            primary::resume, CompletableFuture.delayedExecutor(HANG.toSeconds(), TimeUnit.SECONDS))
                    .join();
            going.run();
        });
    }

    /** The consumers poll once in ten minutes, so the signaller must find the new primary and wake them. */
    @Test
    void consumersThatWaitAreWokenBehindTheElection() throws InterruptedException {
        String database = Urls.database();
        AtomicInteger calls = new AtomicInteger();
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(set.uri("admin")))
                .applyToSocketSettings(socket -> socket.readTimeout(5, TimeUnit.SECONDS))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        if (!event.getCommandName().equals("getMore")) {
                            calls.incrementAndGet();
                        }
                    }
                })
                .build();
        try (QueueFactory producing = QueueFactory.connect(Urls.of("mongo", set.uri(database), "jono.timeout=5s"));
                MongoClient client = MongoClients.create(settings);
                QueueFactory consuming = QueueFactory.builder("mongo:?jono.one-database=true")
                        .storage(MongoStorage.of(client, database))
                        .queueDefaults(QueueOptions.builder()
                                .pollInterval(Duration.ofMinutes(10))
                                .build())
                        .connect()) {
            List<CompletableFuture<Optional<Message<String>>>> waiting = new ArrayList<>();
            for (int i = 0; i < SOME; i++) {
                waiting.add(consuming.queue("q" + i, Codec.string()).popAsync(Duration.ofMinutes(10)));
            }
            awaitReader(database);
            AtomicInteger before = new AtomicInteger(-1);
            Awaitility.await("all to have looked, and to wait")
                    .during(Duration.ofMillis(500))
                    .until(() -> before.getAndSet(calls.get()) == calls.get());
            MongoServer primary = set.awaitPrimary();
            primary.kill();
            set.awaitFailoverFrom(primary);
            for (int i = 0; i < SOME; i++) {
                if (i == SOME / 2) {
                    awaitReader(database); // from here on only a signal can wake them
                }
                assertThat(waiting.get(i)).isNotDone();
                producing.queue("q" + i, Codec.string()).push("x");
                assertThat(waiting.get(i)).succeedsWithin(Duration.ofSeconds(10));
            }
            primary.restart();
        }
    }

    /** Waits until a client follows the channel of signals on the present primary. */
    private static void awaitReader(String database) {
        try (MongoClient client = MongoClients.create(set.uri("admin"))) {
            List<BsonDocument> tails = List.of(
                    BsonDocument.parse("{$currentOp: {allUsers: true, idleCursors: true}}"),
                    BsonDocument.parse("{$match: {'cursor.tailable': true, ns: '" + database + ".keuss_signal'}}"));
            Awaitility.await("a reader of signals")
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> client.getDatabase("admin")
                                    .aggregate(tails)
                                    .into(new ArrayList<>())
                                    .size()
                            == 1);
        }
    }
}
