package dev.jono.backend.redisoq;

import dev.jono.spi.Due;
import dev.jono.spi.Receipt;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.RedisKeys;

/** Arguments in the form that the scripts expect. */
final class ScriptArgs {
    static final byte[] EMPTY = new byte[0];
    private static final byte[] ONE = RedisKeys.bytes("1");
    private static final byte[] ZERO = RedisKeys.bytes("0");

    private ScriptArgs() {}

    static byte[] flag(boolean value) {
        return value ? ONE : ZERO;
    }

    /** A due time. The scripts add a relative one to the server's time. */
    static String due(Due due) {
        if (due.absolute()) {
            return Long.toString(due.millis());
        }
        return due.millis() == 0 ? "now" : "+" + due.millis();
    }

    /** How a script completes an encoded message: a letter for its last fields, a flag of the script's own, the due time. */
    static byte[] spec(Envelope.Tail tail, String flag, Due due) {
        return RedisKeys.bytes(letterOf(tail) + flag + due(due));
    }

    /** How a script completes an encoded message: a letter for its last fields. */
    static byte[] letter(Envelope.Tail tail) {
        return RedisKeys.bytes(letterOf(tail));
    }

    private static String letterOf(Envelope.Tail tail) {
        return switch (tail) {
            case PLAIN -> "p";
            case BUFFER -> "b";
            case JSON -> "j";
            case BROKEN_JSON -> "J";
            case BROKEN_STRING -> "S";
        };
    }

    /** Writes a receipt's id and fence, and returns the index of the next argument. */
    static int receipt(byte[][] args, int at, Receipt receipt) {
        args[at] = RedisKeys.bytes(receipt.id());
        args[at + 1] = ClaimToken.fence(receipt);
        return at + 2;
    }
}
