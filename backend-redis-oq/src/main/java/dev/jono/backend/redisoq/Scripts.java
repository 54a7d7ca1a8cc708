package dev.jono.backend.redisoq;

import dev.jono.support.redis.Script;

/** The Lua scripts. Each includes only the shared parts that it needs, because Redis evaluates all of them in every call. */
final class Scripts {
    private static final String COMMON = text("common");
    private static final String DUES = text("dues");
    private static final String TEXTS = text("texts");
    private static final String LEASES = text("leases");
    private static final String LENDING = text("lending");
    private static final String TAKING = text("taking");

    static final Script INSERT = mutating("push", DUES, text("insert"));
    static final Script RESTORE = mutating("restore", DUES, text("insert"));
    static final Script TAKE = mutating("pop", TEXTS, TAKING, text("take"));
    static final Script CLAIM = mutating("reserve", TEXTS, LEASES, LENDING, TAKING, text("claim"));
    static final Script ACK = mutating("ack", TEXTS, LEASES, text("ack"));
    static final Script RELEASE = mutating("retry or release", DUES, TEXTS, LEASES, text("release"));
    static final Script EXTEND = mutating("extend", TEXTS, LEASES, LENDING, text("extend"));
    static final Script MOVE = mutating("move", DUES, TEXTS, LEASES, text("move"));
    static final Script REMOVE = mutating("remove", TEXTS, LEASES, text("remove"));
    static final Script PURGE = mutating("purge", TEXTS, LEASES, text("purge"));
    static final Script DELETE = mutating("delete", text("delete"));
    static final Script HELD = reading("move", text("held"));
    static final Script FIND = reading("get", text("find"));
    static final Script BROWSE = reading("browse", text("browse"));
    static final Script COUNTS = reading("count", text("counts"));
    static final Script PROBE = reading("probe", text("probe"));

    private Scripts() {}

    private static Script mutating(String step, String... texts) {
        return Script.of(step, true, COMMON + "\n" + String.join("\n", texts));
    }

    private static Script reading(String step, String text) {
        return Script.of(step, false, COMMON, TEXTS, LEASES, TAKING, text);
    }

    private static String text(String file) {
        return Script.read(Scripts.class.getResourceAsStream(file + ".lua"), file + ".lua");
    }
}
