package dev.jono.support.postgres;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Numbers of PostgreSQL's advisory locks. Stateless. */
public final class AdvisoryLocks {
    private AdvisoryLocks() {}

    /**
     * The number of an advisory lock. Two names have the same number rarely; then calls wait for one another without need.
     *
     * @param name what is locked, within the schema
     */
    public static long number(String schema, String name) {
        CRC32 first = new CRC32();
        first.update(schema.getBytes(StandardCharsets.UTF_8));
        CRC32 second = new CRC32();
        second.update(name.getBytes(StandardCharsets.UTF_8));
        return first.getValue() << Integer.SIZE | second.getValue();
    }
}
