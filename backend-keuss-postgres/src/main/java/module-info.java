/** Jono queues in PostgreSQL, in the tables of keuss. */
module dev.jono.backend.keusspostgres {
    requires dev.jono;
    requires dev.jono.support.postgres;
    requires static com.google.errorprone.annotations;

    provides dev.jono.spi.BackendProvider with
            dev.jono.backend.keusspostgres.KeussPostgresBackendProvider;
}
