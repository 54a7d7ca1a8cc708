package dev.jono.backend.mongo;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@link Takes} or {@link Claims}: what a take and a claim do differently. {@link ClaimSteps} and {@link
 * BatchClaim} run it on the thread of the call, and again on the thread that repeats the call after a lost answer.
 */
interface ClaimCall {
    /** The name of the step in error messages. */
    String step();

    /** The number of the call, which marks its messages. */
    long token();

    /** Whether one message can be taken or claimed with one command. */
    boolean fitsOneCommand();

    /** Sends that command; empty if no message is due. */
    Optional<StoredDocument> sendOne(RepeatableCalls.Running<Optional<StoredDocument>> running);

    /**
     * The result of that command.
     *
     * @param found the message, as it was removed or marked
     */
    ClaimedBatch one(StoredDocument found, long nowMillis);

    /** The due messages that may share this call: a beginning of the list, at least one. */
    List<StoredDocument> select(List<StoredDocument> due);

    /**
     * The fields that mark a message.
     *
     * @param like one of the messages, if the condition of the marking makes sure that all are like it; otherwise null
     */
    BsonDocument marks(@Nullable StoredDocument like);

    /** The marks that takes and claims share. */
    default BsonDocument commonMarks(Layouts.Layout layout, BsonValue leaseEnd) {
        return new BsonDocument(layout.dueField(), leaseEnd)
                .append(Fields.RESERVED, Fields.NOW)
                .append(layout.tokenField(), new BsonInt64(token()));
    }

    /** The result if all chosen messages were marked as they were found; null if they must be read again. */
    @Nullable ClaimedBatch markedAsFound(List<StoredDocument> chosen, boolean more);

    /**
     * One message of the result.
     *
     * @param found as a search found it
     * @param marked as it is after the marking
     */
    StoredMessage message(StoredDocument found, StoredDocument marked);

    /**
     * Does what follows the marking of at least one message.
     *
     * @param sentNanos a time before the marking
     * @param repeated whether an earlier attempt may have done it already
     * @param running gets what a repetition of the call does to find its outcome
     */
    ClaimedBatch complete(
            ClaimedBatch marked, long sentNanos, boolean repeated, RepeatableCalls.Running<ClaimResult> running);
}
