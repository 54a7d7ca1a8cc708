package dev.jono.support.redis;

/** What a signaller on Redis says of itself, so that a backend on the same Redis can publish for it. */
public interface SignalCarrier {
    /** Whether its signals are those that a publish over this connection in this namespace makes. */
    boolean publishesOn(RedisLink link, String namespace);
}
