package dev.jono.memory;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.spi.MoveItem;
import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import dev.jono.spi.StoredMessage.State;
import org.jspecify.annotations.Nullable;

/** One message. Not thread-safe: the lock of its queue guards it. */
final class Entry extends Position {
    final String id;
    final EncodedPayload payload;
    final Headers headers;
    final long pushedMillis;

    int tries;
    long dueMillis;

    /** The token of the last claim; kept when its lease ends, null once it is settled. */
    @Nullable String holder;

    /** Came back because a lease ended; says nothing while it is leased. */
    boolean expired;

    /** Kept by {@link PositionOrder}. */
    @Nullable PositionOrder order;

    @Nullable Entry previous;

    @Nullable Entry next;

    boolean linked;

    Entry(long seq, String id, EncodedPayload payload, Headers headers, long pushedMillis) {
        super(0, seq);
        this.id = id;
        this.payload = payload;
        this.headers = headers;
        this.pushedMillis = pushedMillis;
    }

    /** The same message as a move stores it elsewhere. */
    Entry moved(MoveItem item, long newSeq, long nowMillis) {
        EncodedPayload changed = item.payload();
        Entry copy = new Entry(
                newSeq,
                id,
                changed == null ? payload : changed,
                headers.merged(item.dropHeaders(), item.addHeaders()),
                nowMillis);
        copy.tries = item.tries();
        return copy;
    }

    /** As take and claim return it, before they count anything. */
    StoredMessage toHandedOut(State state, @Nullable Receipt receipt, boolean isolated) {
        return toBuilder(state)
                .leaseEndMillis(receipt == null ? 0 : rank)
                .expired(expired)
                .isolated(isolated)
                .receipt(receipt)
                .build();
    }

    /** As a browse shows it; the caller adds what it knows of the place. */
    StoredMessage.Builder toBuilder(State state) {
        return StoredMessage.builder()
                .id(id)
                .payload(payload)
                .headers(headers)
                .tries(tries)
                .dueMillis(dueMillis)
                .pushedMillis(pushedMillis)
                .state(state);
    }
}
