package dev.jono.backend.redisoq;

import dev.jono.spi.Receipt;
import dev.jono.support.redis.RedisKeys;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The content of a receipt's token, the same for all messages of a claim. The fence alone decides whether a settlement takes
 * effect. The other parts let the ack script find many messages of a lease at once.
 *
 * @param fence of the claim
 * @param leaseEnd when the lease ended at the time of the claim, as the script returned it; {@code 0} in a foreign token
 * @param count how many messages the claim returned; 0 if unknown
 * @param idSum a sum over hashes of their ids, independent of their order
 */
record ClaimToken(String fence, String leaseEnd, int count, long idSum) {
    private static final int FENCE = 13;
    private static final Pattern AFTER_FENCE =
            Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,17})?)(?:\\*([0-9]{1,3})\\*([0-9a-f]{1,16}))?");

    /** The token of a claim that returned these messages. */
    static ClaimToken ofBatch(String fence, String leaseEnd, List<String> ids) {
        return new ClaimToken(fence, leaseEnd, ids.size(), idSum(ids.stream()));
    }

    /** The token of a claim whose messages are not all known. */
    static ClaimToken ofUnknownBatch(String fence, String leaseEnd) {
        return new ClaimToken(fence, leaseEnd, 0, 0);
    }

    /** Reads a receipt's token. A token of another form gives a fence that matches no message. */
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

    /** The fence in a receipt's token, as an argument of a script. */
    static byte[] fence(Receipt receipt) {
        return RedisKeys.bytes(fence(receipt.token()));
    }

    private static String fence(String token) {
        return token.substring(0, Math.min(FENCE, token.length()));
    }

    /** The text for the receipts of the claim. */
    String token() {
        return count == 0 ? fence + leaseEnd : fence + leaseEnd + '*' + count + '*' + Long.toHexString(idSum);
    }

    /** Whether these receipts with this token are all messages of the claim, each once. */
    boolean isWholeBatch(List<Receipt> receipts) {
        return receipts.size() == count && idSum(receipts.stream().map(Receipt::id)) == idSum;
    }

    /** Mixes the hashes before it adds them: ids that contain times would give equal sums for different sets. */
    private static long idSum(Stream<String> ids) {
        return ids.mapToLong(id -> new SplittableRandom(id.hashCode()).nextLong())
                .sum();
    }
}
