package dev.jono.backend.bucketmongo;

import dev.jono.spi.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * What a receipt says: which claim holds which slot. The token of a receipt is the claim's number in base 36, with the
 * suffix {@code -own} if the message is in its own bucket.
 *
 * @param token the token of the claim, as a number
 * @param text the token of the claim, as in its receipts
 */
record SlotClaim(SlotAddress address, long token, String text) {
    private static final int RADIX = 36;
    private static final String OWN = "-own";

    /**
     * Reads a receipt; returns null if no claim of this backend has issued it.
     *
     * @param previous the claim of the receipt before it, which usually has the same bucket and token
     */
    static @Nullable SlotClaim of(Receipt receipt, @Nullable SlotClaim previous) {
        String token = receipt.token();
        boolean own = token.endsWith(OWN);
        SlotAddress address = own
                ? SlotAddress.ofOwnBucket(receipt.id())
                : SlotAddress.ofPushed(receipt.id(), previous == null ? null : previous.address());
        if (address == null) {
            return null;
        }
        String text = own ? token.substring(0, token.length() - OWN.length()) : token;
        if (previous != null && previous.text().equals(text)) {
            return new SlotClaim(address, previous.token(), previous.text());
        }
        try {
            return new SlotClaim(address, Long.parseUnsignedLong(text, RADIX), text);
        } catch (NumberFormatException foreign) {
            return null;
        }
    }

    /** The token of a claim as text, for its receipts. */
    static String text(long token) {
        return Long.toUnsignedString(token, RADIX);
    }

    /**
     * The receipt of a claimed message.
     *
     * @param inPushedSlot whether the message is in the slot that its id names
     * @param text the result of {@link #text}
     */
    static Receipt receipt(String messageId, boolean inPushedSlot, String text) {
        return Receipt.of(messageId, inPushedSlot ? text : text + OWN);
    }
}
