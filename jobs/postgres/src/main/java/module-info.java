/** Records of jobs in the PostgreSQL schema of the queues. */
module dev.jono.jobs.postgres {
    requires dev.jono.jobs;
    requires dev.jono.support.postgres;

    provides dev.jono.jobs.spi.JobStoreProvider with
            dev.jono.jobs.postgres.PostgresJobStoreProvider;
}
