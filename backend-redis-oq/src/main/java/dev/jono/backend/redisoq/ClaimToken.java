package dev.jono.backend.redisoq;

import dev.jono.spi.Receipt;
import dev.jono.support.redis.RedisKeys;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a receipt's token holds: the fence of the claim, where its lease ended when it was claimed, how many messages it brought,
 * and a sum of their ids. The fence is what counts; by the rest the script that acks finds many at once.
 *
 * @param ends as the script told it; {@code 0} where the token is none of this backend's
 * @param count 0 where it is not known
 * @param sum of hashes, whatever their order
 */
record ClaimToken(String fence, String ends, int count, long sum) {
    private static final int FENCE = 13;
    private static final Pattern AFTER_FENCE =
            Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,17})?)(?:\\*([0-9]{1,3})\\*([0-9a-f]{1,16}))?");

    /** Of a claim that brought these. */
    static ClaimToken ofBatch(String fence, String ends, List<String> ids) {
        return new ClaimToken(fence, ends, ids.size(), sum(ids.stream()));
    }

    /** Of a claim of which it is not known what it brought. */
    static ClaimToken ofUnknownBatch(String fence, String ends) {
        return new ClaimToken(fence, ends, 0, 0);
    }

    /** What is no token of this backend's is nobody's fence. */
    static ClaimToken parse(Receipt receipt) {
        String token = receipt.token();
        String fence = fence(token);
        Matcher rest = AFTER_FENCE.matcher(token).region(fence.length(), token.length());
        if (!rest.matches()) {
            return ofUnknownBatch(fence, "0");
        }
        return rest.group(2) == null
                ? ofUnknownBatch(fence, rest.group(1))
                : new ClaimToken(
                        fence,
                        rest.group(1),
                        Integer.parseInt(rest.group(2)),
                        Long.parseUnsignedLong(rest.group(3), 16));
    }

    /** The fence alone. */
    static byte[] fence(Receipt receipt) {
        return RedisKeys.bytes(fence(receipt.token()));
    }

    private static String fence(String token) {
        return token.substring(0, Math.min(FENCE, token.length()));
    }

    /** The token of all receipts of the claim. */
    String token() {
        return count == 0 ? fence + ends : fence + ends + '*' + count + '*' + Long.toHexString(sum);
    }

    /** Whether these receipts, which have this token, are all that the claim brought, each once. */
    boolean isWholeBatch(List<Receipt> receipts) {
        return receipts.size() == count && sum(receipts.stream().map(Receipt::id)) == sum;
    }

    /** The hashes are mixed first: ids that are times would add up to the same in many ways. */
    private static long sum(Stream<String> ids) {
        return ids.mapToLong(id -> new SplittableRandom(id.hashCode()).nextLong())
                .sum();
    }
}
