/** All of Jono for Redis, to be required in one line. */
module dev.jono.redis {
    requires transitive dev.jono;
    requires dev.jono.backend.redislist;
    requires dev.jono.backend.redisoq;
    requires dev.jono.jobs.redis;
    requires dev.jono.signal.redispubsub;
    requires dev.jono.stats.redis;
}
