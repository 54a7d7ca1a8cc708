/** What Jono's modules for Redis share. No promise to applications, except {@link dev.jono.support.redis.RedisStorage}. */
module dev.jono.support.redis {
    requires transitive dev.jono;
    requires transitive lettuce.core;
    requires static com.google.errorprone.annotations;
    requires com.fasterxml.jackson.core;
    requires io.netty.common;
    requires io.netty.transport;
    requires io.netty.handler;
    requires io.netty.resolver;
    // For Lettuce, which uses it and, being an automatic module, cannot say so.
    requires io.netty.resolver.dns;
    requires org.slf4j;

    exports dev.jono.support.redis;
}
