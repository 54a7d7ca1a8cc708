package dev.jono.support.redis;

/**
 * What a signaller or a stats store on Redis says of itself, so that a backend on the same Redis can do its work in the
 * same round trip as its own.
 */
public interface Piggyback {
    /** Whether it works over this connection, in this namespace. */
    boolean worksOn(RedisLink link, String namespace);
}
