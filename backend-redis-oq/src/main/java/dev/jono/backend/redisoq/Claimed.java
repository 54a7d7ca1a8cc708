package dev.jono.backend.redisoq;

import dev.jono.spi.Receipt;
import dev.jono.support.redis.RedisKeys;

/** What a receipt's token holds: where the message stood, as 15 digits of its due time, then the fence of the claim. */
final class Claimed {
    private static final int PLACE = 15;

    private Claimed() {}

    static Receipt receipt(String id, String place, String fence) {
        return Receipt.of(id, place + fence);
    }

    static byte[] fence(Receipt receipt) {
        return RedisKeys.bytes(
                receipt.token().substring(Math.min(PLACE, receipt.token().length())));
    }

    /** The entry among the claims, as the scripts make it. What is no receipt of this backend's names no entry. */
    static byte[] entry(Receipt receipt) {
        String token = receipt.token();
        return token.length() <= PLACE
                ? Words.NOTHING
                : RedisKeys.bytes(token.substring(0, PLACE) + receipt.id() + token.substring(PLACE));
    }
}
