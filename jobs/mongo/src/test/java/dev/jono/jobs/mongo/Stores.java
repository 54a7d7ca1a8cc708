package dev.jono.jobs.mongo;

import dev.jono.QueueFactory;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.spi.ConnectedFactory;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** Calls of job stores, for tests. */
final class Stores {
    private Stores() {}

    /** A store that shares the connection of a factory. */
    static JobStore on(QueueFactory jono) {
        return new MongoJobStoreProvider().open(((ConnectedFactory) jono).companionConfig());
    }

    /** A change of a job of type "resize" by run 1. */
    static RecordChange.Builder change(String id, RecordState state) {
        return RecordChange.builder()
                .id(id)
                .type("resize")
                .state(state)
                .attempt(1)
                .document("{}");
    }

    static WriteOutcome write(JobStore store, RecordChange.Builder change) {
        return got(store.write(List.of(change.build()))).get(0);
    }

    static StoredRecord stored(JobStore store, String id) {
        return Objects.requireNonNull(got(store.read(List.of(id))).get(id), id);
    }

    static <R> R got(CompletionStage<R> stage) {
        return stage.toCompletableFuture().join();
    }
}
