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
record Spot(Place.Id bucket, int slot) {
    private static final int RADIX = 36;
    private static final String OWN = "-own";

    /** The place that the id of a message names; null if it names none. */
    static @Nullable Spot home(String messageId) {
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
        return new Spot(new Place.Id(MessageIds.value(messageId.substring(0, colon))), slot);
    }

    /** The message's own bucket. */
    static Spot own(String messageId) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(messageId.getBytes(StandardCharsets.UTF_8));
            return new Spot(new Place.Id(new BsonObjectId(new ObjectId(Arrays.copyOf(hash, 12)))), 0);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** All places in which it may be. */
    static List<Spot> all(String messageId) {
        Spot home = home(messageId);
        return home == null ? List.of(own(messageId)) : List.of(home, own(messageId));
    }

    /** Whether the id names this place. */
    boolean names(String messageId) {
        return messageId.equals(bucket.message(slot));
    }

    /** The receipt of a message that is here, under a claim. */
    Receipt receipt(String messageId, long token) {
        String claim = Long.toUnsignedString(token, RADIX);
        return Receipt.of(messageId, names(messageId) ? claim : claim + OWN);
    }

    /** The place of a claimed message, and the claim. */
    record Right(Spot spot, long token) {
        /** That of a receipt; null if it is none of ours, and so nobody's. */
        static @Nullable Right of(Receipt receipt) {
            String text = receipt.token();
            boolean own = text.endsWith(OWN);
            Spot spot = own ? own(receipt.id()) : home(receipt.id());
            try {
                String claim = own ? text.substring(0, text.length() - OWN.length()) : text;
                return spot == null ? null : new Right(spot, Long.parseUnsignedLong(claim, RADIX));
            } catch (NumberFormatException foreign) {
                return null;
            }
        }
    }
}
