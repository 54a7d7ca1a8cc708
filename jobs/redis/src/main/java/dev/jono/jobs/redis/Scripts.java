package dev.jono.jobs.redis;

import dev.jono.support.redis.Script;

/** The Lua scripts. The head of each describes its parameters and its answer. */
final class Scripts {
    private static final String COMMON = read("common");

    static final Script WRITE = ofRecords("write job records", true, "write");
    static final Script REMOVE = ofRecords("remove job records", true, "remove");
    static final Script POSTPONE = ofRecords("postpone job records", true, "postpone");
    static final Script COUNTS = ofRecords("count job records", false, "counts");

    static final Script CHANGE_ENTRIES = Script.of("change job entries", true, read("change-entries"));
    static final Script READ_ENTRIES = Script.of("read job entries", false, read("read-entries"));

    // The next ones can be repeated without harm, so they are sent like scripts that change nothing.
    static final Script EXPIRED = ofRecords("list expired job records", false, "expired");
    static final Script APPEND = Script.of("append events of jobs", false, read("append"));
    static final Script LISTEN = Script.of("listen to events of jobs", false, read("listen"));
    static final Script REGISTER = Script.of("register job types", false, read("register"));
    static final Script FORGET = Script.of("forget a job type", false, read("forget"));
    static final Script LIST_ENTRIES = Script.of("list job entries", false, read("list-entries"));

    private Scripts() {}

    private static Script ofRecords(String step, boolean mutating, String file) {
        return Script.of(step, mutating, COMMON, read(file));
    }

    private static String read(String file) {
        return Script.read(Scripts.class.getResourceAsStream(file + ".lua"), file + ".lua");
    }
}
