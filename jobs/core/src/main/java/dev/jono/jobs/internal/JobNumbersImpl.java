package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoException;
import dev.jono.jobs.JobNumbers;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.StoredEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Numbers of jobs, as entries of the job store: one with the last number; one for each number, with the id of its job; and one
 * for each numbered job, with its number. That of the number is written first. So a number that a caller knows always leads to
 * its job; if two processes number a job at the same time, both numbers do.
 *
 * <p>A call that gives numbers also checks twice as many older ones, and deletes the numbers of jobs that were removed. Blocks the
 * calling thread; thread-safe.
 */
final class JobNumbersImpl implements JobNumbers {
    private static final String LAST = "lastnumber";
    private static final String NUMBER = "number";
    private static final String NUMBERED = "numbered";
    private static final String LAST_NAME = "last";
    private static final int VERSION = 1;
    /** Younger jobs are not looked at: most of them are still there. */
    private static final long YOUNG_MILLIS = TimeUnit.HOURS.toMillis(1);

    private static final int MAX_SWEPT = 200;

    private final JobsContext context;
    private final Predicate<String> isThere;
    private final EntryEditor last;
    private final EntryEditor numbers;
    private final EntryEditor numbered;
    private final ReentrantLock sweeping = new ReentrantLock();

    /** The name behind which the next sweep begins. */
    @GuardedBy("sweeping") private String after = "";

    /**
     * The numbers of a storage.
     *
     * @param isThere whether the job with an id is there
     */
    JobNumbersImpl(JobsContext context, Predicate<String> isThere) {
        this.context = context;
        this.isThere = isThere;
        this.last = new EntryEditor(context, LAST);
        this.numbers = new EntryEditor(context, NUMBER);
        this.numbered = new EntryEditor(context, NUMBERED);
    }

    @Override
    public Map<String, Long> of(Collection<String> ids) {
        List<String> asked = List.copyOf(new LinkedHashSet<>(ids));
        asked.forEach(JobId::parse);
        Map<String, Long> known = read(asked);
        List<String> missing =
                asked.stream().filter(id -> !known.containsKey(id)).toList();
        if (!missing.isEmpty()) {
            known.putAll(give(missing));
            sweep(2 * missing.size());
        }
        return known;
    }

    @Override
    public Optional<String> job(long number) {
        StoredEntry entry = number < 1 ? null : numbers.current(name(number)).entry();
        return Optional.ofNullable(entry).map(JobNumbersImpl::job);
    }

    private Map<String, Long> read(List<String> ids) {
        return ids.isEmpty()
                ? new HashMap<>()
                : new HashMap<>(context.answer(context.store.entries(NUMBERED, ids)).entries().stream()
                        .collect(Collectors.toMap(StoredEntry::name, JobNumbersImpl::number)));
    }

    private Map<String, Long> give(List<String> ids) {
        Block block = reserve(ids.size());
        List<EntryChange> toJobs = new ArrayList<>();
        List<EntryChange> toNumbers = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            long number = block.first + i;
            String document = JobJson.object()
                    .put("v", VERSION)
                    .put("job", ids.get(i))
                    .put("number", number)
                    .put("at", block.nowMillis)
                    .toString();
            toJobs.add(EntryChange.of(NUMBER, name(number), null, document));
            toNumbers.add(EntryChange.of(NUMBERED, ids.get(i), null, document));
        }
        context.change(context.store.changeEntries(toJobs));
        context.change(context.store.changeEntries(toNumbers));
        return read(ids); // another process may have been faster with some of them
    }

    /** Numbers that no other call gets. */
    private record Block(long first, long nowMillis) {}

    private Block reserve(int count) {
        return last.repeat(LAST_NAME, current -> {
            StoredEntry entry = current.entry();
            long given = entry == null ? 0 : number(entry);
            String document = JobJson.object()
                    .put("v", VERSION)
                    .put("number", given + count)
                    .toString();
            return last.store(current, document)
                    ? Optional.of(new Block(given + 1, current.now().toEpochMilli()))
                    : Optional.empty();
        });
    }

    /** Names in the order of the numbers. */
    private static String name(long number) {
        return String.format(Locale.ROOT, "%019d", number);
    }

    private static long number(StoredEntry entry) {
        return JobJson.parse(entry.document()).path("number").asLong();
    }

    private static String job(StoredEntry entry) {
        return JobJson.parse(entry.document()).path("job").asText();
    }

    /** Looks at the next numbers, unless another look is in progress. */
    private void sweep(int count) {
        if (!sweeping.tryLock()) {
            return;
        }
        try {
            EntryPage page = numbers.list(after, Math.min(count, MAX_SWEPT));
            for (StoredEntry entry : page.entries()) {
                if (isYoung(entry, page)) {
                    after = "";
                    return;
                }
                forgetIfGone(entry);
                after = entry.name();
            }
            after = page.entries().isEmpty() ? "" : after;
        } catch (JonoException failure) {
            context.outages.warn(
                    JobsContext.LOG, failure, "the numbers of removed jobs could not be deleted; tried again later");
        } finally {
            sweeping.unlock();
        }
    }

    private static boolean isYoung(StoredEntry entry, EntryPage page) {
        return page.nowMillis() - JobJson.parse(entry.document()).path("at").asLong() < YOUNG_MILLIS;
    }

    private void forgetIfGone(StoredEntry entry) {
        String job = job(entry);
        if (!isThere.test(job)) {
            EntryEditor.Current current = numbered.current(job);
            StoredEntry back = current.entry();
            if (back != null && number(back) == number(entry)) {
                numbered.store(current, null);
            }
            numbers.store(new EntryEditor.Current(entry.name(), entry, current.now()), null);
        }
    }
}
