package dev.jono.jobs.mongo;

import static dev.jono.jobs.mongo.Stores.change;
import static dev.jono.jobs.mongo.Stores.got;
import static dev.jono.jobs.mongo.Stores.stored;
import static dev.jono.jobs.mongo.Stores.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.jono.ConfigurationException;
import dev.jono.QueueFactory;
import dev.jono.StorageException;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordQuery;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.support.mongo.testing.OwnDatabase;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.ContractSetup;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The documents, indexes and counts of the job store. */
class MongoJobStoreTest {
    /** The limit of the test servers, which is short because of killed clients. */
    private static final int TEST_LIMIT_SECONDS = 3;

    @RegisterExtension
    final OwnDatabase database = new OwnDatabase("mongo");

    private QueueFactory jono;
    private JobStore store;

    @BeforeEach
    void open() {
        jono = database.connect();
        store = Stores.on(jono);
    }

    @AfterEach
    void close() {
        store.close();
        jono.close();
    }

    @Test
    void countsAreThoseOfTheRecordsAfterCompetingWrites() {
        try (QueueFactory other = database.connect();
                JobStore otherStore = Stores.on(other)) {
            List<CompletableFuture<Integer>> writers = IntStream.range(0, 4)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> compete(i % 2 == 0 ? store : otherStore, i)))
                    .toList();
            writers.forEach(CompletableFuture::join);
        }
        Map<RecordState, Long> stored = new EnumMap<>(RecordState.class);
        for (BsonDocument record : database.collection("jono_jobs").find()) {
            stored.merge(Fields.state(record), 1L, Long::sum);
        }
        assertThat(stored).isNotEmpty();
        assertThat(got(store.counts())).isEqualTo(Map.of("resize", stored));
    }

    /** Writes and removes some of the same records as the others do. */
    private static int compete(JobStore store, int seed) {
        Random random = new Random(seed);
        RecordState[] states = RecordState.values();
        for (int round = 0; round < 30; round++) {
            List<RecordChange> changes = IntStream.range(0, 10)
                    .mapToObj(i -> change("resize:" + random.nextInt(40), states[random.nextInt(states.length)])
                            .build())
                    .toList();
            got(store.write(changes));
            got(store.remove(List.of("resize:" + random.nextInt(40), "resize:" + random.nextInt(40))));
        }
        return seed;
    }

    /** The server keeps such a transaction for a minute. */
    @Test
    void transactionOfAKilledProcessBlocksOnlyItsOwnRecords() {
        write(store, change("resize:1", RecordState.OPEN));
        limitTransactions(60);
        try (ClientSession killed = TestDatabases.client().startSession()) {
            killed.startTransaction();
            for (String name : List.of("jono_jobs", "jono_job_counts")) {
                database.collection(name).updateMany(killed, new BsonDocument(), Updates.set("touched", true));
            }
            assertThat(write(store, change("resize:2", RecordState.OPEN))).isEqualTo(WriteOutcome.STORED);
            assertThatThrownBy(() -> write(store, change("resize:1", RecordState.FAILED)))
                    .hasCauseInstanceOf(StorageException.class)
                    .hasMessageContaining("concurrent changes");
            killed.abortTransaction();
        } finally {
            limitTransactions(TEST_LIMIT_SECONDS);
        }
        assertThat(write(store, change("resize:1", RecordState.FAILED))).isEqualTo(WriteOutcome.STORED);
        assertThat(got(store.counts()).get("resize")).isEqualTo(Map.of(RecordState.OPEN, 1L, RecordState.FAILED, 1L));
    }

    /** Sets how long the server keeps a transaction. */
    private static void limitTransactions(int seconds) {
        TestDatabases.client()
                .getDatabase("admin")
                .runCommand(BsonDocument.parse("{setParameter: 1, transactionLifetimeLimitSeconds: " + seconds + "}"));
    }

    @Test
    void emptyStoreHasNoCollection() {
        assertThat(got(store.counts())).isEmpty();
        assertThat(got(store.find(new RecordQuery("resize", RecordState.OPEN, null, null, 10))))
                .isEmpty();
        assertThat(got(store.expired(10))).isEmpty();
        assertThat(got(store.remove(List.of("resize:1")))).containsExactly(false);
        assertThat(got(store.listEntries("limit", "", 10)).entries()).isEmpty();
        assertThat(jono.queues()).isEmpty();
        assertThat(database.collection("jono_jobs").listIndexes()).isEmpty();
        assertThat(database.collection("jono_job_entries").listIndexes()).isEmpty();
    }

    @Test
    void collectionsOfJobsAreNoQueues() {
        write(store, change("resize:1", RecordState.OPEN));
        got(store.changeEntries(List.of(new EntryChange("limit", "a", null, "v1", "{}"))));
        assertThat(jono.queues()).isEmpty();
        got(store.listenToEvents("reader", 60_000));
        assertThat(jono.queues()).isEmpty();
        for (String name : List.of("jono_jobs", "jono_job_counts", "jono_job_entries", "jono_job_events")) {
            assertThatThrownBy(() -> jono.queue(name, String.class).size()).hasMessageContaining("data of jobs");
        }
    }

    /** MongoDB would take such texts for names of fields. */
    @Test
    void textsThatBeginWithADollarAreStoredAsTheyAre() {
        LogLine line = new LogLine(1, 1, "$log");
        write(
                store,
                change("$id", RecordState.FAILED)
                        .type("$type.a")
                        .document("$document")
                        .tags(Set.of("$tags"))
                        .logLines(List.of(line)));
        StoredRecord read = stored(store, "$id");
        assertThat(read.type()).isEqualTo("$type.a");
        assertThat(read.document()).isEqualTo("$document");
        assertThat(got(store.log("$id", 10))).containsExactly(line);
        assertThat(got(store.find(new RecordQuery("$type.a", RecordState.FAILED, "$tags", null, 10))))
                .hasSize(1);
        assertThat(got(store.counts())).isEqualTo(Map.of("$type.a", Map.of(RecordState.FAILED, 1L)));
    }

    @Test
    void damagedRecordIsAClearError() {
        write(store, change("resize:1", RecordState.OPEN));
        write(store, change("resize:2", RecordState.OPEN));
        database.collection("jono_jobs").updateOne(Filters.eq("_id", "resize:1"), Updates.set("state", "lost"));
        assertThatThrownBy(() -> got(store.read(List.of("resize:1"))))
                .hasCauseInstanceOf(StorageException.class)
                .hasMessageContainingAll("resize:1", "damaged", "lost");
        assertThat(got(store.read(List.of("resize:2")))).hasSize(1);
    }

    @Test
    void recordOverTheLimitOfMongoDbIsRefused() {
        for (int mebibytes : new int[] {16, 17}) {
            RecordChange.Builder large = change("resize:1", RecordState.OPEN).document("x".repeat(mebibytes << 20));
            assertThatThrownBy(() -> write(store, large)).hasCauseInstanceOf(StorageException.class);
        }
        assertThat(got(store.read(List.of("resize:1")))).isEmpty();
        assertThat(got(store.counts())).isEmpty();
    }

    /** Each page reads as many keys of the index as it has records, and two more. */
    @Test
    void pagesCostAsMuchAsTheyHold() {
        got(store.write(IntStream.range(0, 300)
                .mapToObj(i -> change("resize:" + i, RecordState.SUCCEEDED)
                        .tags(Set.of("eu", "tag" + i))
                        .keepMillis(1_000_000L + i)
                        .build())
                .toList()));
        StoredRecord last = got(store.find(new RecordQuery("resize", RecordState.SUCCEEDED, null, null, 150)))
                .get(149);
        RecordQuery.Position after = new RecordQuery.Position(last.changedMillis(), last.id());
        for (String tag : new String[] {"", "eu"}) {
            RecordQuery query = new RecordQuery("resize", RecordState.SUCCEEDED, tag.isEmpty() ? null : tag, after, 20);
            BsonDocument stats = database.collection("jono_jobs")
                    .find(MongoJobStore.filter(query))
                    .sort(MongoJobStore.LAST_FIRST)
                    .limit(20)
                    .explain(BsonDocument.class, com.mongodb.ExplainVerbosity.EXECUTION_STATS)
                    .getDocument("executionStats");
            assertThat(stats.getNumber("nReturned").intValue()).isEqualTo(20);
            assertThat(stats.getNumber("totalKeysExamined").intValue()).isLessThanOrEqualTo(22);
            assertThat(stats.getNumber("totalDocsExamined").intValue()).isEqualTo(20);
        }
        BsonDocument oldest = database.collection("jono_jobs")
                .find(MongoJobStore.filter(new RecordQuery("resize", RecordState.SUCCEEDED, null, null, 20)))
                .sort(MongoJobStore.OLDEST_FIRST)
                .limit(20)
                .explain(BsonDocument.class, com.mongodb.ExplainVerbosity.EXECUTION_STATS)
                .getDocument("executionStats");
        assertThat(oldest.getNumber("totalKeysExamined").intValue()).isLessThanOrEqualTo(22);
        BsonDocument expired = database.collection("jono_jobs")
                .find(MongoJobStore.endedBy(last.changedMillis()))
                .sort(MongoJobStore.OVER_FIRST)
                .limit(20)
                .explain(BsonDocument.class, com.mongodb.ExplainVerbosity.EXECUTION_STATS)
                .getDocument("executionStats");
        assertThat(expired.getNumber("totalDocsExamined").intValue()).isZero();
    }

    @Test
    void standaloneServerIsRefused() {
        try (ContractSetup setup =
                        ContractSetups.onStandalone("mongo", "", Set.of()).build();
                QueueFactory standalone = setup.client().connect()) {
            assertThatThrownBy(() -> Jobs.on(standalone))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll("transactions", "replica set");
        }
    }
}
