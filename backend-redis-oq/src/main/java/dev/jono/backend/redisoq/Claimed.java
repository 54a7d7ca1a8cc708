package dev.jono.backend.redisoq;

import dev.jono.spi.Receipt;
import dev.jono.support.redis.RedisKeys;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a receipt's token holds: the fence of the claim, where its lease ended when it was claimed, and of how many messages
 * it was. The fence is what counts; by the rest the script that acks finds many at once.
 *
 * @param ends as the script told it; {@code 0} where the token is none of this backend's
 * @param count 0 where that is not known
 */
record Claimed(String fence, String ends, int count) {
    private static final int FENCE = 13;
    private static final Pattern REST = Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,17})?)(?:\\*([0-9]{1,4}))?");

    /** The token of all receipts of a claim. */
    String token() {
        return fence + ends + '*' + count;
    }

    /** What is no token of this backend's is nobody's fence. */
    static Claimed of(Receipt receipt) {
        String token = receipt.token();
        String fence = fence(token);
        Matcher rest = REST.matcher(token).region(fence.length(), token.length());
        if (!rest.matches()) {
            return new Claimed(fence, "0", 0);
        }
        return new Claimed(fence, rest.group(1), rest.group(2) == null ? 0 : Integer.parseInt(rest.group(2)));
    }

    /** The fence alone. */
    static byte[] fence(Receipt receipt) {
        return RedisKeys.bytes(fence(receipt.token()));
    }

    private static String fence(String token) {
        return token.substring(0, Math.min(FENCE, token.length()));
    }
}
