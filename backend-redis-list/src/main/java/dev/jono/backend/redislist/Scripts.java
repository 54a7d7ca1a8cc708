package dev.jono.backend.redislist;

import dev.jono.support.redis.Script;
import java.io.InputStream;

/** The Lua scripts. */
final class Scripts {
    static final Script INSERT = script("push", true, "insert");
    static final Script RESTORE = script("giving back", true, "insert");
    static final Script TAKE = script("pop", true, "take");
    static final Script PURGE = script("purge", true, "purge");
    static final Script DELETE = script("delete", true, "delete");
    static final Script COUNTS = script("counting", false, "counts");
    static final Script PROBE = script("looking for messages", false, "probe");

    private Scripts() {}

    private static Script script(String step, boolean mutating, String file) {
        InputStream found = Scripts.class.getResourceAsStream(file + ".lua");
        if (found == null) {
            throw new IllegalStateException(file + ".lua is missing from the jar");
        }
        return Script.of(step, mutating, Script.read(found));
    }
}
