package dev.jono.memory;

import java.util.LinkedHashMap;

/**
 * Where taken messages stood, in case that they come back. The id that a store makes tells the place; for others (given by
 * the caller, or moved in from another queue) the latest places are kept. Not thread-safe: the lock of its queue guards it.
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

    /** The old place of a message that comes back; a new one when it is not known. */
    long of(String id) {
        Long seq = remembered.remove(id);
        if (seq != null) {
            return seq;
        }
        long own = ids.seqOf(id);
        return own >= 0 ? own : ids.nextSeq();
    }
}
