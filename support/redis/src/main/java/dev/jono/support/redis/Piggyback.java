package dev.jono.support.redis;

/**
 * A signaller or a stats store on Redis whose work a backend on the same connection can do in the round trips of its own
 * calls.
 */
public interface Piggyback {
    /** Whether it uses this connection and this namespace. */
    boolean worksOn(RedisLink link, String namespace);
}
