package dev.jono.jobs.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.jobs.LimitsView;
import dev.jono.jobs.spi.StoredEntry;
import java.time.Instant;
import java.util.Optional;

/** Reads what the limits of types hold back. Blocks the calling thread; thread-safe. */
final class LimitViews {
    private final EntryEditor limits;
    private final EntryEditor rates;

    LimitViews(JobsContext context) {
        this.limits = new EntryEditor(context, LimitPermits.KIND);
        this.rates = new EntryEditor(context, RatePermits.KIND);
    }

    LimitsView of(String type) {
        return new LimitsView(isFull(limits.current(type)), nextStart(rates.current(type)));
    }

    private static boolean isFull(EntryEditor.Current limit) {
        long now = limit.now().toEpochMilli();
        for (JsonNode holder : document(limit)) {
            if (holder.path(LimitPermits.WAITS).asBoolean()
                    && holder.path(LimitPermits.UNTIL).asLong() > now) {
                return true;
            }
        }
        return false;
    }

    private static Optional<Instant> nextStart(EntryEditor.Current rate) {
        return Optional.of(Instant.ofEpochMilli(
                        document(rate).path(RatePermits.NEXT).asLong()))
                .filter(rate.now()::isBefore);
    }

    private static ObjectNode document(EntryEditor.Current current) {
        StoredEntry entry = current.entry();
        return entry == null ? JobJson.object() : JobJson.parse(entry.document());
    }
}
