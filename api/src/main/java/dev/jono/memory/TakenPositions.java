package dev.jono.memory;

import java.util.LinkedHashMap;

/**
 * The old positions of taken messages, for those that are restored. An id that the storage assigned contains the
 * position. For other ids (set by the caller, or of messages moved from another queue) the latest positions are
 * remembered. Not thread-safe: guarded by the lock of its {@link MessageTable}.
 */
final class TakenPositions {
    private static final int MAX_REMEMBERED = 1024;

    private final Ids ids;
    private final LinkedHashMap<String, Long> remembered = new LinkedHashMap<>();

    TakenPositions(Ids ids) {
        this.ids = ids;
    }

    void remember(Entry taken) {
        if (ids.seqOf(taken.id) != taken.seq) {
            remembered.put(taken.id, taken.seq);
            if (remembered.size() > MAX_REMEMBERED) {
                remembered.remove(remembered.keySet().iterator().next());
            }
        }
    }

    /** The sequence number of the old position of a restored message; a new one if it is not known. */
    long of(String id) {
        Long seq = remembered.remove(id);
        if (seq != null) {
            return seq;
        }
        long own = ids.seqOf(id);
        return own >= 0 ? own : ids.nextSeq();
    }
}
