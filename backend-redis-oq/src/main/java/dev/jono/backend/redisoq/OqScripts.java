package dev.jono.backend.redisoq;

import dev.jono.support.redis.Script;
import java.io.InputStream;

/** The Lua scripts, each behind what it shares with others. */
final class OqScripts {
    private static final String COMMON = text("common");
    private static final String MESSAGES = text("messages");

    static final Script INSERT = Script.of("push", true, COMMON, text("insert"));
    static final Script RESTORE = Script.of("giving back", true, COMMON, text("insert"));
    static final Script TAKE = mutating("pop", "take");
    static final Script CLAIM = mutating("reserve", "claim");
    static final Script ACK = mutating("ack", "ack");
    static final Script RELEASE = mutating("retry or release", "release");
    static final Script EXTEND = mutating("extend", "extend");
    static final Script MOVE = mutating("move", "move");
    static final Script REMOVE = mutating("remove", "remove");
    static final Script PURGE = mutating("purge", "purge");
    static final Script HELD = reading("move", "held");
    static final Script FIND = reading("get", "find");
    static final Script BROWSE = reading("browse", "browse");
    static final Script COUNTS = reading("counting", "counts");
    static final Script PROBE = reading("looking for messages", "probe");

    private OqScripts() {}

    private static Script mutating(String step, String file) {
        return Script.of(step, true, COMMON, MESSAGES, text(file));
    }

    private static Script reading(String step, String file) {
        return Script.of(step, false, COMMON, MESSAGES, text(file));
    }

    private static String text(String file) {
        InputStream found = OqScripts.class.getResourceAsStream(file + ".lua");
        if (found == null) {
            throw new IllegalStateException(file + ".lua is missing from the jar");
        }
        return Script.read(found);
    }
}
