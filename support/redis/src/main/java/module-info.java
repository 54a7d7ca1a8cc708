/** Shared parts of Jono's modules for Redis. For applications only {@link dev.jono.support.redis.RedisStorage} is stable. */
module dev.jono.support.redis {
    requires transitive dev.jono;
    requires transitive lettuce.core;
    requires static com.google.errorprone.annotations;
    requires com.fasterxml.jackson.core;
    requires io.netty.common;
    requires io.netty.transport;
    requires io.netty.handler;
    requires io.netty.resolver;
    // For Lettuce, which needs it but cannot declare that, because it is an automatic module.
    requires io.netty.resolver.dns;
    requires org.slf4j;

    exports dev.jono.support.redis;
}
