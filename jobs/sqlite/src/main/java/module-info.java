/** Records of jobs in the SQLite file of the queues. */
module dev.jono.jobs.sqlite {
    requires dev.jono.jobs;
    requires dev.jono.backend.sqlite;
    requires java.sql;

    provides dev.jono.jobs.spi.JobStoreProvider with
            dev.jono.jobs.sqlite.SqliteJobStoreProvider;
}
