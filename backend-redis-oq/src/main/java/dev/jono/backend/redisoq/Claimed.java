package dev.jono.backend.redisoq;

import dev.jono.spi.Receipt;
import dev.jono.support.redis.RedisKeys;
import java.util.regex.Pattern;

/**
 * What a receipt's token holds: the fence of the claim, then where its lease ended when it was claimed. The fence is what
 * counts; the end tells the script that acks many where to look first.
 */
final class Claimed {
    private static final int FENCE = 13;
    private static final byte[] NOWHERE = Words.ZERO;
    private static final Pattern END = Pattern.compile("[0-9]{1,15}(\\.[0-9]{1,17})?");

    private Claimed() {}

    /** The token of all receipts of a claim. */
    static String token(String fence, String ends) {
        return fence + ends;
    }

    /** What is no token of this backend's is nobody's fence. */
    static byte[] fence(Receipt receipt) {
        String token = receipt.token();
        return RedisKeys.bytes(token.substring(0, Math.min(FENCE, token.length())));
    }

    static byte[] ends(Receipt receipt) {
        String token = receipt.token();
        String ends = token.substring(Math.min(FENCE, token.length()));
        return END.matcher(ends).matches() ? RedisKeys.bytes(ends) : NOWHERE;
    }
}
