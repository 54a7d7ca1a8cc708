package dev.jono.testkit;

import static dev.jono.testkit.StoreCase.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.StoredEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Entries, and changes of them that a store refuses. */
abstract class JobStoreEntryRules extends JobStoreCase {
    private static final String KIND = "limit";

    JobStoreEntryRules(Supplier<ContractSetup> opener, UnaryOperator<JobStore> wrapper) {
        super(opener, wrapper);
    }

    private boolean change(String name, @Nullable String expected, String version, @Nullable String document) {
        return got(store().changeEntries(List.of(new EntryChange(KIND, name, expected, version, document))))
                .get(0);
    }

    private List<StoredEntry> entries(String... names) {
        return got(store().entries(KIND, List.of(names))).entries();
    }

    @Test
    void entryIsReadAsItWasWritten() {
        String document = "{\"text\":\"ä€ \\\"quoted\\\" \\n\"}";
        assertThat(change("ä b", null, "v1", document)).isTrue();
        assertThat(entries("ä b", "missing")).containsExactly(new StoredEntry("ä b", "v1", document));
        assertThat(got(store(client()).entries(KIND, List.of("ä b"))).entries()).hasSize(1);
        assertThat(got(store().entries("other", List.of("ä b"))).entries()).isEmpty();
    }

    @Test
    void entryIsChangedOnlyIfItHasTheExpectedVersion() {
        assertThat(change("a", "v0", "v1", "{}")).as("no entry").isFalse();
        assertThat(change("a", null, "v1", "{}")).isTrue();
        assertThat(change("a", null, "v2", "{\"n\":2}")).as("there is one").isFalse();
        assertThat(change("a", "v1", "v2", "{\"n\":2}")).isTrue();
        assertThat(change("a", "v1", "v3", "{\"n\":3}"))
                .as("another came first")
                .isFalse();
        assertThat(entries("a")).containsExactly(new StoredEntry("a", "v2", "{\"n\":2}"));
    }

    @Test
    void repeatedChangeIsDoneOnce() {
        assertThat(change("a", null, "v1", "{}")).isTrue();
        assertThat(change("a", null, "v1", "{}")).isTrue();
        assertThat(change("a", "v1", "v2", "{\"n\":2}")).isTrue();
        assertThat(change("a", "v1", "v2", "{\"n\":2}")).isTrue();
        assertThat(change("a", null, "v1", "{}")).as("not the last one").isFalse();
        assertThat(entries("a")).containsExactly(new StoredEntry("a", "v2", "{\"n\":2}"));
    }

    @Test
    void entryIsRemovedOnlyIfItHasTheExpectedVersion() {
        change("a", null, "v1", "{}");
        assertThat(change("a", "v0", "v2", null)).isFalse();
        assertThat(entries("a")).hasSize(1);
        assertThat(change("a", "v1", "v2", null)).isTrue();
        assertThat(change("a", "v1", "v2", null)).as("repeated").isTrue();
        assertThat(entries("a")).isEmpty();
        assertThat(change("a", null, "v3", "{}")).isTrue();
    }

    @Test
    void changesOfOneCallAreDoneInTheirOrder() {
        List<Boolean> done = got(store().changeEntries(List.of(
                new EntryChange(KIND, "a", null, "v1", "{}"),
                new EntryChange("other", "a", null, "v1", "{}"),
                new EntryChange(KIND, "a", "v1", "v2", "{\"n\":2}"),
                new EntryChange(KIND, "a", "v1", "v3", "{\"n\":3}"))));
        assertThat(done).containsExactly(true, true, true, false);
        assertThat(entries("a")).containsExactly(new StoredEntry("a", "v2", "{\"n\":2}"));
        assertThat(got(store().changeEntries(List.of()))).isEmpty();
        assertThat(entries()).isEmpty();
    }

    @Test
    void pagesAreInTheOrderOfTheNames() {
        for (String name : List.of("b", "\uD83D\uDE00", "B", "a:1", "a", "\uFF5E", "ä", "z")) {
            change(name, null, "v1", "{}");
        }
        List<String> names = new ArrayList<>();
        String after = "";
        for (EntryPage page = got(store().listEntries(KIND, after, 2));
                !page.entries().isEmpty();
                page = got(store().listEntries(KIND, after, 2))) {
            assertThat(page.entries()).hasSizeLessThanOrEqualTo(2);
            page.entries().forEach(entry -> names.add(entry.name()));
            after = names.get(names.size() - 1);
        }
        assertThat(got(store().entries(KIND, List.of("\uD83D\uDE00", "\uFF5E", "B", "B")))
                        .entries())
                .extracting(StoredEntry::name)
                .containsExactly("B", "\uFF5E", "\uD83D\uDE00");
        assertThat(names).containsExactly("B", "a", "a:1", "b", "z", "ä", "\uFF5E", "\uD83D\uDE00");
    }

    @Test
    void pageHasTheTimeOfTheStorage() {
        long first = got(store().entries(KIND, List.of("a"))).nowMillis();
        pass(seconds(5));
        long second = got(store().listEntries(KIND, "", 1)).nowMillis();
        assertThat(second - first).isBetween(atLeast(5).toMillis(), 60_000L);
    }

    /** Each of the competitors adds 1 to the same number, again and again. */
    @Test
    void changesOfCompetingClientsAreNotLost() {
        int rounds = 25;
        List<JobStore> stores = List.of(store(), store(client()), store(client()));
        List<CompletableFuture<String>> counters = IntStream.range(0, stores.size())
                .mapToObj(i -> inBackground(() -> {
                    for (int round = 0; round < rounds; round++) {
                        addOne(stores.get(i), i + "-" + round);
                    }
                    return "done";
                }))
                .toList();
        counters.forEach(counter -> awaitReal("a counter to end", counter::isDone));
        counters.forEach(CompletableFuture::join);
        assertThat(entries("sum")).extracting(StoredEntry::document).containsExactly("" + stores.size() * rounds);
    }

    private static void addOne(JobStore store, String change) {
        for (int attempt = 0; ; attempt++) {
            List<StoredEntry> found = got(store.entries(KIND, List.of("sum"))).entries();
            long sum = found.isEmpty() ? 0 : Long.parseLong(found.get(0).document());
            @Nullable String version = found.isEmpty() ? null : found.get(0).version();
            EntryChange next = new EntryChange(KIND, "sum", version, change + "-" + attempt, "" + (sum + 1));
            if (got(store.changeEntries(List.of(next))).get(0)) {
                return;
            }
        }
    }
}
