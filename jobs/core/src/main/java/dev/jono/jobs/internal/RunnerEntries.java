package dev.jono.jobs.internal;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.jobs.RunnerView;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.StoredEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The entries of runners: each process stores its own, and reads those of all. {@link Watch} calls {@link #report} every five seconds, and
 * {@link #removeDead} every ten. A report is a read, which brings the time of the storage, and a compare-and-set of all entries of the
 * process. One report at a time; requests that come meanwhile share the next one. A failure has no effect on the runners. Thread-safe.
 */
final class RunnerEntries {
    /** A runner is dead after it has missed three reports. */
    private static final Duration DEAD_AFTER = Duration.ofSeconds(15);

    private static final String KIND = "runner";
    private static final int PAGE = 200;

    private final JobsContext context;
    private final EntryEditor editor;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<String, RunnerReport> live = new HashMap<>();

    /** Runners that have stopped, and whose entries are not removed yet. */
    @GuardedBy("lock") private final Set<String> stopped = new HashSet<>();

    @GuardedBy("lock") private boolean reporting;

    /** Completes with the report after the present one; null if no caller has asked for it. */
    @GuardedBy("lock") private @Nullable CompletableFuture<Boolean> next;

    /** The name behind which the next page of {@link #removeDead} begins. */
    private volatile String after = "";

    RunnerEntries(JobsContext context) {
        this.context = context;
        this.editor = new EntryEditor(context, KIND);
    }

    /** Adds a runner that has started. */
    void add(RunnerReport runner) {
        lock.lock();
        try {
            live.put(runner.id(), runner);
        } finally {
            lock.unlock();
        }
        report();
    }

    /** Removes a runner that has stopped. Completes when that is stored, or was tried. */
    CompletableFuture<Boolean> remove(RunnerReport runner) {
        lock.lock();
        try {
            if (live.remove(runner.id()) == null) {
                return CompletableFuture.completedFuture(true);
            }
            stopped.add(runner.id());
        } finally {
            lock.unlock();
        }
        return report();
    }

    /** Stores what the runners of this process report. Completes, never with a failure, when that is stored, or was tried. */
    @CanIgnoreReturnValue
    CompletableFuture<Boolean> report() {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        lock.lock();
        try {
            if (reporting) {
                next = next == null ? done : next;
                return next;
            }
            reporting = true;
        } finally {
            lock.unlock();
        }
        report(done);
        return done;
    }

    private void report(CompletableFuture<Boolean> done) {
        List<RunnerReport> runners;
        Set<String> names;
        lock.lock();
        try {
            runners = List.copyOf(live.values());
            names = new HashSet<>(live.keySet());
            names.addAll(stopped);
            stopped.clear(); // an entry that cannot be removed now is that of a dead runner
        } finally {
            lock.unlock();
        }
        store(runners, names).whenComplete((stored, failure) -> {
            if (failure != null) {
                context.outages.warn(
                        JobsContext.LOG,
                        Answers.unwrap(failure),
                        "the entries of runners could not be changed; the runners continue, and report again later");
            }
            ended(done);
        });
    }

    private void ended(CompletableFuture<Boolean> done) {
        CompletableFuture<Boolean> following;
        lock.lock();
        try {
            following = next;
            next = null;
            reporting = following != null;
        } finally {
            lock.unlock();
        }
        if (following != null) {
            context.execute(() -> report(following));
        }
        done.complete(true);
    }

    private CompletionStage<List<Boolean>> store(List<RunnerReport> runners, Set<String> names) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        try {
            return context.store
                    .entries(KIND, List.copyOf(names))
                    .thenCompose(page -> context.store.changeEntries(changes(runners, page)));
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** Runners that are not stored yet get an entry, and entries without a runner are removed. */
    private static List<EntryChange> changes(List<RunnerReport> runners, EntryPage page) {
        Map<String, StoredEntry> stored =
                page.entries().stream().collect(Collectors.toMap(StoredEntry::name, Function.identity()));
        List<EntryChange> changes = new ArrayList<>();
        for (RunnerReport runner : runners) {
            StoredEntry before = stored.remove(runner.id());
            changes.add(EntryChange.of(KIND, runner.id(), before, runner.text(page.nowMillis())));
        }
        stored.values().forEach(entry -> changes.add(EntryChange.of(KIND, entry.name(), entry, null)));
        return changes;
    }

    /** Removes the dead runners of one page of entries; the next call continues behind it. Blocks the calling thread. */
    void removeDead() {
        try {
            EntryPage page = editor.list(after, PAGE);
            after = page.entries().size() < PAGE ? "" : last(page);
            List<EntryChange> removals = page.entries().stream()
                    .filter(entry -> isDead(RunnerReport.view(entry), page))
                    .map(entry -> EntryChange.of(KIND, entry.name(), entry, null))
                    .toList();
            if (!removals.isEmpty()) {
                context.change(context.store.changeEntries(removals));
            }
        } catch (RuntimeException failure) {
            context.outages.warn(
                    JobsContext.LOG, failure, "entries of dead runners could not be removed; tried again later");
        }
    }

    private static String last(EntryPage page) {
        return page.entries().get(page.entries().size() - 1).name();
    }

    private static boolean isDead(RunnerView runner, EntryPage page) {
        Instant now = Instant.ofEpochMilli(page.nowMillis());
        return runner.lastSeen().plus(DEAD_AFTER).isBefore(now);
    }

    /** The runners of all processes. Blocks the calling thread. */
    List<RunnerView> all() {
        List<RunnerView> all = new ArrayList<>();
        EntryPage page;
        String from = "";
        do {
            EntryPage read = editor.list(from, PAGE);
            read.entries().stream()
                    .map(RunnerReport::view)
                    .filter(runner -> !isDead(runner, read))
                    .forEach(all::add);
            page = read;
            from = read.entries().isEmpty() ? "" : last(read);
        } while (page.entries().size() == PAGE);
        all.sort(Comparator.comparing(RunnerView::startedAt).thenComparing(RunnerView::id));
        return all;
    }
}
