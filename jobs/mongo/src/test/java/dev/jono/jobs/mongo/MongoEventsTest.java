package dev.jono.jobs.mongo;

import static dev.jono.jobs.mongo.Stores.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.QueueFactory;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.StoredEvent;
import dev.jono.support.mongo.testing.OwnDatabase;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The documents of the log of events. */
class MongoEventsTest {
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
    void processWithoutReadersLeavesNothing() {
        assertThat(got(store.appendEvents("a", List.of("1")))).isFalse();
        assertThat(database.collection("jono_job_events").find()).isEmpty();
    }

    @Test
    void appendIsOneDocumentUnlessItIsLarge() {
        got(store.listenToEvents("r", 60_000));
        got(store.appendEvents("a", List.of("1", "2", "3")));
        assertThat(database.collection("jono_job_events").countDocuments()).isEqualTo(2);
        got(store.appendEvents(
                "a", IntStream.range(0, 500).mapToObj(i -> "e" + i).toList()));
        String large = "x".repeat(60_000);
        got(store.appendEvents("a", IntStream.range(0, 300).mapToObj(i -> large).toList()));
        assertThat(database.collection("jono_job_events").countDocuments()).isBetween(20L, 30L);
        List<StoredEvent> all = got(store.events("", 2000));
        assertThat(all).hasSize(803).extracting(StoredEvent::position).doesNotHaveDuplicates();
        for (int i : new int[] {0, 1, 2, 3, 150, 202, 203, 500}) {
            assertThat(got(store.events(all.get(i).position(), 1))).containsExactly(all.get(i + 1));
        }
    }

    /** Its numbers go on, so readers that know the old log hear the new one. */
    @Test
    void logThatWasDroppedIsReadFromItsBegin() {
        got(store.listenToEvents("r", 60_000));
        got(store.appendEvents("a", List.of("1", "2")));
        String position = got(store.events("", 10)).get(1).position();
        database.collection("jono_job_events").drop();
        assertThat(got(store.events(position, 10))).isEmpty();
        got(store.listenToEvents("r", 60_000));
        got(store.appendEvents("a", List.of("3")));
        assertThat(got(store.events(position, 10)))
                .extracting(StoredEvent::document)
                .containsExactly("3");
    }
}
