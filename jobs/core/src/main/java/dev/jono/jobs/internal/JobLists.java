package dev.jono.jobs.internal;

import dev.jono.QueueCounts;
import dev.jono.jobs.JobPage;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobView;
import dev.jono.jobs.spi.RecordState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lists and counts jobs. A list of all states is a sequence of sections: the waiting jobs by priority, the failed ones, and the ended
 * ones by state. A cursor names a section and a place in it. Thread-safe.
 */
final class JobLists {
    private static final Pattern LANE = Pattern.compile("\\{jobs:([^{}]+)}:[a-z]+");

    private final JobsContext context;

    JobLists(JobsContext context) {
        this.context = context;
    }

    /** The names of all types with jobs or records, sorted. */
    Set<String> types() {
        Set<String> types = new TreeSet<>(context.answer(context.store.counts()).keySet());
        for (String queue : context.jono.queues()) {
            Matcher lane = LANE.matcher(queue);
            if (lane.matches()) {
                types.add(lane.group(1));
            }
        }
        return types;
    }

    JobPage find(JobQuery query) {
        String type = query.type();
        List<JobSection> sections = new ArrayList<>();
        for (String each : type == null ? types() : Set.of(type)) {
            sections.addAll(sections(each, query));
        }
        JobCursor cursor = JobCursor.parse(query.after());
        String place = null;
        if (cursor != null) {
            while (!sections.isEmpty() && !sections.get(0).name().equals(cursor.section())) {
                sections.remove(0);
            }
            place = cursor.place();
        }
        return page(sections, place, query.limit());
    }

    private static JobPage page(List<JobSection> sections, @Nullable String place, int limit) {
        List<JobView> jobs = new ArrayList<>();
        String from = place;
        for (JobSection section : sections) {
            JobSection.Part part = section.read(from, limit - jobs.size());
            jobs.addAll(part.jobs());
            if (part.next() != null) {
                return new JobPage(jobs, Optional.of(new JobCursor(section.name(), part.next()).text()));
            }
            from = null;
        }
        return new JobPage(jobs, Optional.empty());
    }

    /** Applies a change to selected jobs until it has changed {@code max} of them. Returns the number of changed jobs. */
    int forEach(JobQuery query, int max, Predicate<JobView> change) {
        int changed = 0;
        Optional<JobQuery> next = Optional.of(query);
        while (next.isPresent() && changed < max) {
            JobQuery asked = next.get();
            JobPage page = find(asked);
            for (JobView job : page.jobs()) {
                if (changed < max && change.test(job)) {
                    changed++;
                }
            }
            next = page.next().map(asked::after);
        }
        return changed;
    }

    private List<JobSection> sections(String type, JobQuery query) {
        JobState state = query.state();
        TypeQueues queues = context.queues(type);
        List<JobSection> sections = new ArrayList<>();
        if (state == null || !state.isEnded()) {
            for (Lane lane : Lane.values()) {
                sections.add(MessageSection.waiting(context, queues, type, lane, query));
            }
        }
        for (RecordState ended : RecordState.values()) {
            if (ended.isEnded() && (state == null || state == Views.state(ended))) {
                sections.add(new RecordSection(context, type, ended, query));
            }
        }
        if (state == null || state == JobState.FAILED) {
            sections.add(MessageSection.unrecorded(context, queues, type, query));
        }
        return sections;
    }

    Map<String, Map<JobState, Long>> counts() {
        Map<String, Map<RecordState, Long>> records = context.answer(context.store.counts());
        Map<String, Map<JobState, Long>> all = new TreeMap<>();
        for (String type : types()) {
            Map<JobState, Long> counts = counts(type, records.getOrDefault(type, Map.of()));
            if (!counts.isEmpty()) {
                all.put(type, counts);
            }
        }
        return all;
    }

    Map<JobState, Long> counts(String type) {
        return counts(type, context.answer(context.store.counts()).getOrDefault(type, Map.of()));
    }

    private Map<JobState, Long> counts(String type, Map<RecordState, Long> records) {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        TypeQueues queues = context.queues(type);
        queues.all().forEach(queue -> addLive(counts, queue.counts()));
        add(counts, JobState.FAILED, queues.failed().counts().total());
        records.forEach((state, number) -> {
            if (state.isEnded() && state != RecordState.FAILED) {
                add(counts, Views.state(state), number);
            }
        });
        return counts;
    }

    private static void addLive(Map<JobState, Long> counts, QueueCounts queue) {
        add(counts, JobState.SCHEDULED, queue.scheduled());
        add(counts, JobState.WAITING, queue.ready());
        add(counts, JobState.BLOCKED, queue.blocked());
        add(counts, JobState.RUNNING, queue.reserved());
    }

    private static void add(Map<JobState, Long> counts, JobState state, long number) {
        if (number > 0) {
            counts.merge(state, number, Long::sum);
        }
    }
}
