/** Records of jobs in the Redis of the queues. */
module dev.jono.jobs.redis {
    requires dev.jono.jobs;
    requires dev.jono.support.redis;

    provides dev.jono.jobs.spi.JobStoreProvider with
            dev.jono.jobs.redis.RedisJobStoreProvider;
}
