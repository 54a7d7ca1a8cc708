/** Counters and the paused flag of queues in Redis. */
module dev.jono.stats.redis {
    requires dev.jono;
    requires dev.jono.support.redis;
    requires org.slf4j;

    provides dev.jono.spi.StatsProvider with
            dev.jono.stats.redis.RedisStatsProvider;
}
