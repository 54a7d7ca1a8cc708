/** Jono queues on Redis with schedule, reserve and moves, in the layout of keuss redis-oq. */
module dev.jono.backend.redisoq {
    requires dev.jono;
    requires dev.jono.support.redis;
    requires static com.google.errorprone.annotations;

    provides dev.jono.spi.BackendProvider with
            dev.jono.backend.redisoq.RedisOqBackendProvider;
}
