package dev.jono.memory;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import dev.jono.spi.StoredMessage.State;
import org.jspecify.annotations.Nullable;

/** A stored message. Not thread-safe: guarded by the lock of its {@link MessageTable}. */
final class Entry extends Position {
    final String id;

    /** The ordering key; null for none. */
    final @Nullable String key;

    final EncodedPayload payload;
    final Headers headers;
    final long pushedMillis;

    int tries;
    long dueMillis;

    /** Whether the message was handed out under a lease before, or came from somewhere else. */
    boolean delivered;

    /** The token of the last claim; kept when its lease ends, null after it is settled. */
    @Nullable String holder;

    /** Whether the last lease ended without being settled. Meaningless while the message is leased. */
    boolean expired;

    /** The order that holds this entry. This and the following fields are set by {@link PositionOrder}. */
    @Nullable PositionOrder order;

    @Nullable Entry previous;

    @Nullable Entry next;

    boolean linked;

    Entry(long seq, String id, EncodedPayload payload, Headers headers, long pushedMillis) {
        super(0, seq);
        this.id = id;
        this.key = headers.string(Headers.KEY);
        this.payload = payload;
        this.headers = headers;
        this.pushedMillis = pushedMillis;
    }

    /** A copy of the message as a move stores it. */
    Entry moved(MoveItem item, long newSeq, long nowMillis) {
        EncodedPayload changed = item.payload();
        Entry copy = new Entry(
                newSeq,
                id,
                changed == null ? payload : changed,
                headers.merged(item.dropHeaders(), item.addHeaders()),
                nowMillis);
        copy.tries = item.tries();
        copy.delivered = true;
        return copy;
    }

    /** A copy of the message as a move of an idle message stores it. */
    Entry moved(MoveIdleRequest request, long newSeq, long nowMillis) {
        boolean keeps = request.keepsTriesAndDue();
        Headers kept = headers.merged(request.dropHeaders(), Headers.empty());
        Entry copy = new Entry(newSeq, id, payload, kept, keeps ? pushedMillis : nowMillis);
        copy.tries = keeps ? tries : 0;
        copy.delivered = true;
        return copy;
    }

    /** The message as a take or claim returns it. Called before the delivery is counted. */
    StoredMessage toHandedOut(State state, @Nullable Receipt receipt, boolean isolated) {
        return toBuilder(state)
                .leaseEndMillis(receipt == null ? 0 : rank)
                .expired(expired)
                .isolated(isolated)
                .firstDelivery(!delivered && tries == 0)
                .receipt(receipt)
                .build();
    }

    /** A builder with the fields of this entry; the caller adds the cursor and the lease. */
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
