package dev.jono.testkit;

import static dev.jono.testkit.StoreCase.got;

import dev.jono.QueueFactory;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.JobStoreProvider;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.spi.ConnectedFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The base of the tests of job stores. */
abstract class JobStoreCase extends ContractCase {
    private final UnaryOperator<JobStore> wrapper;
    private final List<JobStore> stores = new ArrayList<>();
    private @Nullable JobStore first;

    /** @param wrapper is applied to the stores under test */
    JobStoreCase(Supplier<ContractSetup> opener, UnaryOperator<JobStore> wrapper) {
        super(opener);
        this.wrapper = wrapper;
    }

    @AfterEach
    void closeStores() {
        stores.forEach(JobStore::close);
    }

    /** The store of the first client. */
    final JobStore store() {
        if (first == null) {
            first = store(jono());
        }
        return first;
    }

    /** A store on the storage of a client. */
    final JobStore store(QueueFactory client) {
        JobStore store = wrapper.apply(open(client));
        stores.add(store);
        return store;
    }

    static JobStore open(QueueFactory client) {
        for (JobStoreProvider provider : ServiceLoader.load(JobStoreProvider.class)) {
            if (provider.backends().contains(client.backend())) {
                return provider.open(((ConnectedFactory) client).companionConfig());
            }
        }
        throw new IllegalStateException("no job store for '" + client.backend() + "' on the class path");
    }

    /** A change of a job of type "resize" by run 1. */
    static RecordChange.Builder change(String id, RecordState state) {
        return change(id, state, 1);
    }

    static RecordChange.Builder change(String id, RecordState state, int attempt) {
        return RecordChange.builder()
                .id(id)
                .type("resize")
                .state(state)
                .attempt(attempt)
                .document("{\"v\":1,\"run\":" + attempt + "}");
    }

    final WriteOutcome write(RecordChange.Builder change) {
        return got(store().write(List.of(change.build()))).get(0);
    }

    final @Nullable StoredRecord read(String id) {
        return got(store().read(List.of(id))).get(id);
    }

    final StoredRecord stored(String id) {
        StoredRecord record = read(id);
        if (record == null) {
            throw new AssertionError("no record of " + id);
        }
        return record;
    }
}
