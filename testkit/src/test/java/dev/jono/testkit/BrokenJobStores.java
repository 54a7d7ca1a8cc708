package dev.jono.testkit;

import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordQuery;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredEntry;
import dev.jono.jobs.spi.StoredRecord;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Job stores that break one promise each. */
final class BrokenJobStores {
    private BrokenJobStores() {}

    /** Replaces one method of a store. */
    private static JobStore replaced(JobStore store, String method, Function<Object[], Object> call) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (self, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        return call.apply(arguments == null ? new Object[0] : arguments);
                    }
                    try {
                        return called.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw Objects.requireNonNull(thrown.getCause());
                    }
                });
    }

    /** The only argument of a call, which is a list. */
    @SuppressWarnings("unchecked") // as the method declares it
    private static <T> List<T> list(Object[] arguments) {
        return (List<T>) arguments[0];
    }

    private static @Nullable String version(JobStore store, EntryChange change) {
        List<StoredEntry> found = StoreCase.got(store.entries(change.kind(), List.of(change.name())))
                .entries();
        return found.isEmpty() ? null : found.get(0).version();
    }

    /** Changes each entry, whatever its version. */
    static JobStore ignoresVersions(JobStore store) {
        return replaced(
                store,
                "changeEntries",
                arguments -> store.changeEntries(BrokenJobStores.<EntryChange>list(arguments).stream()
                        .map(change -> new EntryChange(
                                change.kind(),
                                change.name(),
                                version(store, change),
                                change.version(),
                                change.document()))
                        .toList()));
    }

    /** Refuses a change that is done already. */
    static JobStore refusesRepeatedChanges(JobStore store) {
        return replaced(store, "changeEntries", arguments -> {
            List<EntryChange> changes = list(arguments);
            List<Boolean> repeated = changes.stream()
                    .map(change -> change.version().equals(version(store, change)))
                    .toList();
            return store.changeEntries(changes).thenApply(done -> {
                List<Boolean> answers = new ArrayList<>(done);
                answers.replaceAll(each -> each && !repeated.contains(true));
                return answers;
            });
        });
    }

    /** Lists entries in the opposite order. */
    static JobStore listsBackwards(JobStore store) {
        return replaced(store, "listEntries", arguments -> {
            CompletionStage<EntryPage> page =
                    store.listEntries((String) arguments[0], (String) arguments[1], (Integer) arguments[2]);
            return page.thenApply(all -> {
                List<StoredEntry> entries = new ArrayList<>(all.entries());
                Collections.reverse(entries);
                return new EntryPage(all.nowMillis(), entries);
            });
        });
    }

    /** Writes over the record of a job that has ended. */
    static JobStore reopensRecords(JobStore store) {
        return replaced(store, "write", arguments -> {
            List<RecordChange> changes = list(arguments);
            return store.remove(changes.stream().map(RecordChange::id).toList())
                    .thenCompose(removed -> store.write(changes));
        });
    }

    /** Takes the newest records for the oldest. */
    static JobStore confusesOldest(JobStore store) {
        return replaced(
                store,
                "oldest",
                arguments -> store.find(new RecordQuery(
                                (String) arguments[0], (RecordState) arguments[1], null, null, (Integer) arguments[2]))
                        .thenApply(
                                newest -> newest.stream().map(StoredRecord::id).toList()));
    }

    /** Does not count the records of jobs that have failed. */
    static JobStore losesCounts(JobStore store) {
        return replaced(
                store,
                "counts",
                arguments -> store.counts().thenApply(counts -> {
                    Map<String, Map<RecordState, Long>> fewer = new HashMap<>();
                    counts.forEach((type, numbers) -> {
                        Map<RecordState, Long> left = new EnumMap<>(numbers);
                        left.remove(RecordState.FAILED);
                        fewer.put(type, left);
                    });
                    return fewer;
                }));
    }
}
