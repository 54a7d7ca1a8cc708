package dev.jono.backend.bucketmongo;

import dev.jono.support.mongo.MessageIds;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Where a message is stored: a slot of a bucket.
 *
 * <p>The id of a message that was pushed into a bucket names its slot. A message that left its slot, or was pushed with an id,
 * is alone in an own bucket, whose id is computed from the message's id. So a message is found by its id, and no two own
 * buckets hold the same id.
 */
record SlotAddress(BucketId bucket, int slot) {
    /** The slot that the id of a message names; null if it names none. */
    static @Nullable SlotAddress ofPushed(String messageId) {
        return ofPushed(messageId, null);
    }

    /**
     * The slot that the id of a message names; null if it names none.
     *
     * @param previous an address that is probably in the same bucket
     */
    static @Nullable SlotAddress ofPushed(String messageId, @Nullable SlotAddress previous) {
        int colon = messageId.lastIndexOf(':');
        int digits = messageId.length() - colon - 1;
        if (colon < 1 || digits < 1 || digits > 7 || (digits > 1 && messageId.charAt(colon + 1) == '0')) {
            return null;
        }
        int slot = 0;
        for (int i = colon + 1; i < messageId.length(); i++) {
            int digit = messageId.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return null;
            }
            slot = 10 * slot + digit;
        }
        if (previous != null
                && previous.bucket().toString().length() == colon
                && messageId.startsWith(previous.bucket().toString())) {
            return new SlotAddress(previous.bucket(), slot);
        }
        return new SlotAddress(new BucketId(MessageIds.value(messageId.substring(0, colon))), slot);
    }

    /** The only slot of the message's own bucket. */
    static SlotAddress ofOwnBucket(String messageId) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(messageId.getBytes(StandardCharsets.UTF_8));
            return new SlotAddress(new BucketId(new BsonObjectId(new ObjectId(Arrays.copyOf(hash, 12)))), 0);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** All slots that may hold the message. */
    static List<SlotAddress> candidates(String messageId) {
        SlotAddress pushed = ofPushed(messageId);
        return pushed == null ? List.of(ofOwnBucket(messageId)) : List.of(pushed, ofOwnBucket(messageId));
    }

    /** The buckets that may hold these messages. */
    static Set<BucketId> candidateBuckets(Iterable<String> messageIds) {
        Set<BucketId> buckets = new LinkedHashSet<>();
        messageIds.forEach(id -> candidates(id).forEach(address -> buckets.add(address.bucket())));
        return buckets;
    }

    /** Whether this slot holds a message, as these buckets show. */
    boolean isLiveIn(Map<BucketId, Bucket> buckets) {
        Bucket found = buckets.get(bucket);
        return found != null && found.live.get(slot);
    }

    /** Whether the id of the message names this slot. */
    boolean isNamedBy(String messageId) {
        return messageId.equals(bucket.messageId(slot));
    }
}
