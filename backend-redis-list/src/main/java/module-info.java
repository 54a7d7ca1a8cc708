/** Jono queues on Redis lists: push and pop, at most once, in the layout of keuss redis-list. */
module dev.jono.backend.redislist {
    requires dev.jono;
    requires dev.jono.support.redis;
    requires static com.google.errorprone.annotations;

    provides dev.jono.spi.BackendProvider with
            dev.jono.backend.redislist.RedisListBackendProvider;
}
