package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.QueueClosedException;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.StoredEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues the due occurrences of all schedules. {@link Watch} calls it twice a second in each process that has runners.
 *
 * <p>A look enqueues the jobs first, and then changes the schedule by compare-and-set. After a crash in between, the next look enqueues
 * them again, as duplicates of the first ones. Processes that are at the same schedule at the same time enqueue duplicates too, and the
 * change of one of them takes effect.
 *
 * <p>The work of a look is bounded: it reads at most one page of the list of schedules, and those that are due by what earlier looks have
 * seen. A round over the list begins at most every 1.5 seconds. Blocks the calling thread; thread-safe.
 */
final class DueSchedules {
    private static final long PAGE_NANOS = TimeUnit.MILLISECONDS.toNanos(1400);
    private static final int PAGE = 200;
    private static final int MAX_DUE = 100;
    /** The maximum number of occurrences of one schedule in one look. */
    private static final int MAX_OCCURRENCES = 100;

    private final JobsContext context;
    private final EntryEditor editor;
    private final Occurrences occurrences;
    private final ReentrantLock lock = new ReentrantLock();

    /** The schedules that were seen, with their next occurrences in milliseconds. */
    @GuardedBy("lock") private final NavigableMap<String, Long> seen = new TreeMap<>(EntryPage.NAME_ORDER);

    /** The name behind which the next page begins; empty at the beginning of the list. */
    @GuardedBy("lock") private String after = "";

    /** When the last page was read. */
    @GuardedBy("lock") private @Nullable Long pageNanos;

    /** A time of the storage, and when it arrived here. */
    @GuardedBy("lock") private long storageMillis;

    @GuardedBy("lock") private long arrivedNanos;

    DueSchedules(JobsContext context) {
        this.context = context;
        this.editor = new EntryEditor(context, Schedules.KIND);
        this.occurrences = new Occurrences(context);
    }

    /** Looks once, unless another look is in progress. */
    void look() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            long now = context.clock.nanos();
            if (!after.isEmpty() || pageNanos == null || now - pageNanos >= PAGE_NANOS) {
                pageNanos = now;
                readPage();
            }
            lookAtSeen();
        } catch (RuntimeException failure) {
            warn(failure);
        } finally {
            lock.unlock();
        }
    }

    /** Looks at all schedules. */
    void lookAtAll() {
        lock.lock();
        try {
            after = "";
            do {
                readPage();
            } while (!after.isEmpty());
        } catch (RuntimeException failure) {
            warn(failure);
        } finally {
            lock.unlock();
        }
    }

    private void warn(RuntimeException failure) {
        if (failure instanceof QueueClosedException) {
            return; // the factory is closed
        }
        context.outages.warn(JobsContext.LOG, failure, "schedules could not be read; due jobs are enqueued later");
    }

    @GuardedBy("lock") private void readPage() {
        EntryPage page = arrived(context.answer(context.store.listEntries(Schedules.KIND, after, PAGE)));
        List<StoredEntry> entries = page.entries();
        boolean last = entries.size() < PAGE;
        String end = last ? "" : entries.get(PAGE - 1).name();
        (last ? seen.tailMap(after, false) : seen.subMap(after, false, end, true)).clear();
        after = end;
        for (StoredEntry entry : entries) {
            enqueueDue(entry, page.nowMillis());
        }
    }

    @GuardedBy("lock") private EntryPage arrived(EntryPage page) {
        storageMillis = page.nowMillis();
        arrivedNanos = context.clock.nanos();
        return page;
    }

    @GuardedBy("lock") private void lookAtSeen() {
        long now = storageMillis + TimeUnit.NANOSECONDS.toMillis(context.clock.nanos() - arrivedNanos);
        List<String> due = seen.entrySet().stream()
                .filter(each -> each.getValue() <= now)
                .limit(MAX_DUE)
                .map(Map.Entry::getKey)
                .toList();
        if (!due.isEmpty()) {
            EntryPage page = arrived(context.answer(context.store.entries(Schedules.KIND, due)));
            seen.keySet().removeAll(due);
            for (StoredEntry entry : page.entries()) {
                enqueueDue(entry, page.nowMillis());
            }
        }
    }

    /** Enqueues the due occurrences of a schedule, and remembers its next one. One bad schedule does not hold up the others. */
    @GuardedBy("lock") private void enqueueDue(StoredEntry entry, long nowMillis) {
        try {
            ScheduleDocument schedule = ScheduleDocument.of(entry);
            Instant next = schedule.next();
            if (schedule.isPaused() || next == null) {
                return;
            }
            Instant now = Instant.ofEpochMilli(nowMillis);
            seen.put(entry.name(), next.toEpochMilli());
            if (!next.isAfter(now)) {
                advance(entry, schedule, next, now);
            }
        } catch (QueueClosedException closed) {
            throw closed;
        } catch (RuntimeException failure) {
            context.outages.warn(
                    JobsContext.LOG, failure, "the job of schedule '{}' could not be enqueued yet", entry.name());
        }
    }

    @GuardedBy("lock") private void advance(StoredEntry entry, ScheduleDocument schedule, Instant due, Instant now) {
        CronTimes times = schedule.times();
        Instant missedBefore = now.minus(schedule.missedAfter());
        Instant next = due;
        if (next.isBefore(missedBefore)) {
            Instant kept = times.next(missedBefore.minusMillis(1)).orElse(null);
            if (!schedule.skipsMissed()) {
                // The first of those that were missed: all processes choose the same, whenever they look.
                enqueue(entry.name(), schedule, next, kept);
            }
            next = kept;
        }
        for (int i = 0; i < MAX_OCCURRENCES && next != null && !next.isAfter(now); i++) {
            Instant following = times.next(next).orElse(null);
            enqueue(entry.name(), schedule, next, following);
            next = following;
        }
        schedule.setNext(next);
        if (editor.store(new EntryEditor.Current(entry.name(), entry, now), schedule.text()) && next != null) {
            seen.put(entry.name(), next.toEpochMilli());
        }
    }

    private void enqueue(String name, ScheduleDocument schedule, Instant time, @Nullable Instant next) {
        occurrences.enqueue(name, schedule, time, next == null ? Duration.ZERO : Duration.between(time, next));
        schedule.setLast(time);
    }
}
