package dev.jono.jobs.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.jobs.JobType;
import java.time.Duration;
import java.util.Iterator;
import java.util.UUID;

/**
 * The permits of {@link JobType#limit}: as many runs as permits, over all processes. The entry has for each process how many it holds,
 * and until when; a process extends that while it holds some. A process that dies holds its permits as long as the leases of its jobs.
 * Thread-safe.
 */
final class LimitPermits extends SharedPermits {
    static final String KIND = "limit";
    /** Until when the share of a process is valid. */
    static final String UNTIL = "until";
    /** Whether a process has got fewer permits than it needs. */
    static final String WAITS = "waits";

    /** How long a process that waits for permits is notified when some are free. */
    private static final long WAIT_MILLIS = 5_000;

    /** How often it looks for free permits if it is not told. */
    private static final long LOOK_MILLIS = 1_000;
    /** The time between two requests. */
    private static final long PAUSE_MILLIS = 20;

    private final String process = UUID.randomUUID().toString();
    private final int limit;
    private final long leaseMillis;
    /** Whether other processes waited at the last exchange. */
    private volatile boolean othersWait;

    LimitPermits(JobsContext context, String type, int limit, Duration lease) {
        super(context, KIND, type);
        this.limit = limit;
        this.leaseMillis = lease.toMillis();
    }

    @Override
    boolean reusable() {
        return true;
    }

    @Override
    Exchange exchange(ObjectNode entry, long nowMillis, int held, int wanted, int returned) {
        int others = 0;
        boolean waiting = false;
        for (Iterator<JsonNode> holders = entry.elements(); holders.hasNext(); ) {
            JsonNode holder = holders.next();
            if (holder.path(UNTIL).asLong() <= nowMillis) {
                holders.remove();
            } else if (!holder.equals(entry.get(process))) {
                others += holder.path("n").asInt();
                waiting |= holder.path(WAITS).asBoolean();
            }
        }
        othersWait = waiting;
        int total = Math.max(0, Math.min(limit - others, held + wanted));
        boolean waits = total < held + wanted;
        if (total == 0 && !waits) {
            entry.remove(process);
        } else {
            entry.putObject(process)
                    .put("n", total)
                    .put(UNTIL, nowMillis + (total > 0 ? leaseMillis : WAIT_MILLIS))
                    .put(WAITS, waits);
        }
        long again = total > 0 ? leaseMillis / 3 : -1;
        if (waits) {
            again = again < 0 ? LOOK_MILLIS : Math.min(again, LOOK_MILLIS);
        }
        return new Exchange(entry.isEmpty() ? null : entry, total - held, again, PAUSE_MILLIS);
    }

    @Override
    void exchanged(int granted, int returned) {
        if (returned > 0 && othersWait) {
            context.wakeRunners(type);
        }
    }
}
