package dev.jono.jobs.internal;

import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobView;
import dev.jono.jobs.spi.RecordQuery;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The jobs of one type that have ended in one way, the last ended first. */
final class RecordSection implements JobSection {
    private final JobsContext context;
    private final String type;
    private final RecordState state;
    private final JobQuery query;

    RecordSection(JobsContext context, String type, RecordState state, JobQuery query) {
        this.context = context;
        this.type = type;
        this.state = state;
        this.query = query;
    }

    @Override
    public String name() {
        return type + " ended " + state;
    }

    @Override
    public Part read(@Nullable String place, int limit) {
        RecordQuery.Position after = position(place);
        if (limit == 0) {
            return new Part(List.of(), place == null ? "" : place);
        }
        List<StoredRecord> records =
                context.answer(context.store.find(new RecordQuery(type, state, JobTags.searched(query), after, limit)));
        List<JobView> jobs =
                records.stream().map(Views::ended).filter(this::matches).toList();
        if (records.size() < limit) {
            return new Part(jobs, null);
        }
        StoredRecord last = records.get(records.size() - 1);
        return new Part(jobs, last.changedMillis() + " " + last.id());
    }

    private boolean matches(JobView view) {
        String key = query.key();
        String batch = query.batch();
        return (key == null || view.key().filter(key::equals).isPresent())
                && (batch == null || view.batch().filter(batch::equals).isPresent());
    }

    private static RecordQuery.@Nullable Position position(@Nullable String place) {
        if (place == null || place.isEmpty()) {
            return null;
        }
        int space = place.indexOf(' ');
        return new RecordQuery.Position(Long.parseLong(place.substring(0, space)), place.substring(space + 1));
    }
}
