package dev.jono.backend.redisoq;

import dev.jono.spi.Receipt;
import dev.jono.support.redis.RedisKeys;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a receipt's token holds: the fence of the claim, where its lease ended when it was claimed, and all that it brought as
 * {@link #sum} has it. The fence is what counts; by the rest the script that acks finds many at once.
 *
 * @param ends as the script told it; {@code 0} where the token is none of this backend's
 * @param sum empty where it is not known
 */
record Claimed(String fence, String ends, String sum) {
    private static final int FENCE = 13;
    private static final Pattern REST =
            Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,17})?)(?:\\*([0-9]{1,3}\\*[0-9a-f]{1,16}))?");

    /** The token of all receipts of a claim. */
    String token() {
        return sum.isEmpty() ? fence + ends : fence + ends + '*' + sum;
    }

    /**
     * How many ids, and a sum of their hashes in which their order is nothing: where it is that of a claim, they are what it
     * brought, each once. Hashes alone would not do: ids that are times add up to the same in many ways.
     */
    static String sum(List<String> ids) {
        long sum = 0;
        for (String id : ids) {
            long hash = id.hashCode() * 0x9E3779B97F4A7C15L; // mixed as splitmix64 does it
            hash = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
            sum += hash ^ (hash >>> 31);
        }
        return ids.size() + "*" + Long.toHexString(sum);
    }

    /** What is no token of this backend's is nobody's fence. */
    static Claimed of(Receipt receipt) {
        String token = receipt.token();
        String fence = fence(token);
        Matcher rest = REST.matcher(token).region(fence.length(), token.length());
        if (!rest.matches()) {
            return new Claimed(fence, "0", "");
        }
        return new Claimed(fence, rest.group(1), rest.group(2) == null ? "" : rest.group(2));
    }

    /** The fence alone. */
    static byte[] fence(Receipt receipt) {
        return RedisKeys.bytes(fence(receipt.token()));
    }

    private static String fence(String token) {
        return token.substring(0, Math.min(FENCE, token.length()));
    }
}
