package dev.jono.backend.bucketmongo;

import dev.jono.spi.Receipt;
import dev.jono.support.mongo.MessageIds;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Where a message is: a slot of a bucket. A message that was pushed into a bucket is named by that place; it is its home.
 * A message that left it, or came with an id from elsewhere, is alone in a bucket whose id is made of the message's id.
 * So a message can be found by its id, and two of one id cannot be stored in such buckets.
 */
record SlotAddress(BucketCollection.BucketId bucket, int slot) {
    private static final int RADIX = 36;
    private static final String OWN = "-own";

    /** The place that the id of a message names; null if it names none. */
    static @Nullable SlotAddress ofPushed(String messageId) {
        return ofPushed(messageId, null);
    }

    /** The same, where it is as a rule another slot of a certain bucket. */
    private static @Nullable SlotAddress ofPushed(String messageId, @Nullable SlotAddress near) {
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
        if (near != null
                && near.bucket().toString().length() == colon
                && messageId.startsWith(near.bucket().toString())) {
            return new SlotAddress(near.bucket(), slot);
        }
        return new SlotAddress(new BucketCollection.BucketId(MessageIds.value(messageId.substring(0, colon))), slot);
    }

    /** The message's own bucket. */
    static SlotAddress ofOwnBucket(String messageId) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(messageId.getBytes(StandardCharsets.UTF_8));
            return new SlotAddress(new BucketCollection.BucketId(new BsonObjectId(new ObjectId(Arrays.copyOf(hash, 12)))), 0);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** All places in which it may be. */
    static List<SlotAddress> candidates(String messageId) {
        SlotAddress home = ofPushed(messageId);
        return home == null ? List.of(ofOwnBucket(messageId)) : List.of(home, ofOwnBucket(messageId));
    }

    /** Whether the id names this place. */
    boolean isNamedBy(String messageId) {
        return messageId.equals(bucket.messageId(slot));
    }

    /** What the receipts of a claim hold beside the id. */
    static String claimText(long token) {
        return Long.toUnsignedString(token, RADIX);
    }

    /**
     * The receipt of a message.
     *
     * @param atHome whether it is in the place that its id names
     * @param claim what {@link #claimText} says
     */
    static Receipt receipt(String messageId, boolean atHome, String claim) {
        return Receipt.of(messageId, atHome ? claim : claim + OWN);
    }

    /** The place of a claimed message, and the claim. */
    record SlotClaim(SlotAddress address, long token, String claim) {
        /**
         * That of a receipt; null if it is none of ours, and so nobody's.
         *
         * @param before that of the receipt before it, which as a rule is of the same bucket and claim
         */
        static @Nullable SlotClaim of(Receipt receipt, @Nullable SlotClaim previous) {
            String text = receipt.token();
            boolean own = text.endsWith(OWN);
            SlotAddress address = own ? ofOwnBucket(receipt.id()) : ofPushed(receipt.id(), previous == null ? null : previous.address());
            if (address == null) {
                return null;
            }
            String claim = own ? text.substring(0, text.length() - OWN.length()) : text;
            if (previous != null && previous.claim().equals(claim)) {
                return new SlotClaim(address, previous.token(), previous.claim());
            }
            try {
                return new SlotClaim(address, Long.parseUnsignedLong(claim, RADIX), claim);
            } catch (NumberFormatException foreign) {
                return null;
            }
        }
    }
}
