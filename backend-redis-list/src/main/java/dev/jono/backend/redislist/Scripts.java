package dev.jono.backend.redislist;

import dev.jono.support.redis.Script;

/** The Lua scripts. */
final class Scripts {
    static final Script INSERT = script("push", true, "insert");
    static final Script RESTORE = script("restore", true, "insert");
    static final Script TAKE = script("pop", true, "take");
    static final Script PURGE = script("purge", true, "purge");
    static final Script DELETE = script("delete", true, "delete");
    static final Script COUNTS = script("count", false, "counts");
    static final Script PROBE = script("probe", false, "probe");

    private Scripts() {}

    private static Script script(String step, boolean mutating, String file) {
        String text = Script.read(Scripts.class.getResourceAsStream(file + ".lua"), file + ".lua");
        return Script.of(step, mutating, text);
    }
}
