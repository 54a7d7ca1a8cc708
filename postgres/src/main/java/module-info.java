/** All of Jono for PostgreSQL, to be required in one line. */
module dev.jono.postgres {
    requires transitive dev.jono;
    requires dev.jono.backend.keusspostgres;
    requires dev.jono.backend.postgres;
    requires dev.jono.jobs.postgres;
    requires dev.jono.signal.postgres;
    requires dev.jono.stats.postgres;
}
