package dev.jono.backend.redisoq;

import dev.jono.spi.Due;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.RedisKeys;

/** Words of the language between this and the scripts. */
final class ScriptArgs {
    static final byte[] EMPTY = new byte[0];
    static final byte[] ONE = RedisKeys.bytes("1");
    static final byte[] ZERO = RedisKeys.bytes("0");

    private ScriptArgs() {}

    /** A due time, as the scripts resolve it. */
    static String due(Due due) {
        if (due.absolute()) {
            return Long.toString(due.millis());
        }
        return due.millis() == 0 ? "now" : "+" + due.millis();
    }

    /** What is to stand behind the fields of a message, a further flag, and when it is due. */
    static byte[] spec(Envelope.Tail tail, String more, Due due) {
        char flag = switch (tail) {
            case PLAIN -> 'p';
            case BUFFER -> 'b';
            case JSON -> 'j';
            case BROKEN_JSON -> 'J';
            case BROKEN_STRING -> 'S';
        };
        return RedisKeys.bytes(flag + more + due(due));
    }
}
