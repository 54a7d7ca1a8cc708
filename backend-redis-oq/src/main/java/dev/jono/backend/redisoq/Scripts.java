package dev.jono.backend.redisoq;

import dev.jono.support.redis.Script;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The Lua scripts for queues of one layout. Each includes only the shared parts that it needs, because Redis evaluates all of
 * them in every call. Immutable.
 */
final class Scripts {
    /** Shared parts, in the order in which scripts include them. PLAIN and KEYED open the queue. */
    private enum Part {
        COMMON,
        DUES,
        TEXTS,
        LEASES,
        LENDING,
        ORDERING,
        PLAIN,
        KEYED,
        TAKING,
        TARGET;

        final String text = read(name().toLowerCase(Locale.ROOT));
    }

    /** For queues without ordering keys, which keuss can share. */
    static final Scripts PLAIN = new Scripts(EnumSet.of(Part.COMMON, Part.PLAIN));

    /** For queues with ordering keys. */
    static final Scripts KEYED =
            new Scripts(EnumSet.of(Part.COMMON, Part.TEXTS, Part.LEASES, Part.ORDERING, Part.KEYED));

    static final Script OPEN = Script.of("open", true, Part.COMMON.text, read("open"));
    static final Script FORGET = Script.of("forget", true, Part.COMMON.text, read("forget"));
    static final Script PROBE =
            Script.of("probe", false, Part.COMMON.text, Part.PLAIN.text, Part.TAKING.text, read("probe"));

    final Script insert;
    final Script restore;
    final Script take;
    final Script claim;
    final Script ack;
    final Script release;
    final Script extend;
    final Script move;
    final Script moveIdle;
    final Script reschedule;
    final Script remove;
    final Script purge;
    /** Only for queues with ordering keys. */
    final Script purgeBlocked;

    final Script delete;
    final Script held;
    final Script find;
    final Script browse;
    final Script counts;

    private final Set<Part> always;

    private Scripts(Set<Part> always) {
        this.always = always;
        this.insert = mutating("push", "insert", Part.DUES);
        this.restore = mutating("restore", "insert", Part.DUES);
        this.take = mutating("pop", "take", Part.TEXTS, Part.TAKING);
        this.claim = mutating("reserve", "claim", Part.TEXTS, Part.LEASES, Part.LENDING, Part.TAKING);
        this.ack = mutating("ack", "ack", Part.TEXTS, Part.LEASES);
        this.release = mutating("retry or release", "release", Part.DUES, Part.TEXTS, Part.LEASES);
        this.extend = mutating("extend", "extend", Part.TEXTS, Part.LEASES, Part.LENDING);
        this.move = mutating("move", "move", Part.DUES, Part.TEXTS, Part.LEASES, Part.ORDERING, Part.TARGET);
        this.moveIdle =
                mutating("moveIdle", "moveidle", Part.DUES, Part.TEXTS, Part.LEASES, Part.ORDERING, Part.TARGET);
        this.reschedule = mutating("reschedule", "reschedule", Part.DUES, Part.TEXTS, Part.LEASES);
        this.remove = mutating("remove", "remove", Part.TEXTS, Part.LEASES);
        this.purge = mutating("purge", "purge", Part.TEXTS, Part.LEASES);
        this.purgeBlocked = mutating("purge", "purgeblocked");
        this.delete = mutating("delete", "delete");
        this.held = reading("move", "held");
        this.find = reading("get", "find");
        this.browse = reading("browse", "browse");
        this.counts = reading("count", "counts");
    }

    private Script mutating(String step, String file, Part... parts) {
        return script(step, true, file, parts);
    }

    private Script reading(String step, String file) {
        return script(step, false, file, Part.TEXTS, Part.LEASES, Part.TAKING);
    }

    private Script script(String step, boolean mutating, String file, Part... parts) {
        Set<Part> all = EnumSet.copyOf(always);
        all.addAll(List.of(parts));
        List<String> texts = new ArrayList<>(all.stream().map(part -> part.text).toList());
        texts.add(read(file));
        return Script.of(step, mutating, String.join("\n", texts));
    }

    private static String read(String file) {
        return Script.read(Scripts.class.getResourceAsStream(file + ".lua"), file + ".lua");
    }
}
