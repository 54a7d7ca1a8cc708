/** Jono queues in a PostgreSQL database. */
module dev.jono.backend.postgres {
    requires dev.jono;
    requires dev.jono.support.postgres;
    requires static com.google.errorprone.annotations;
    requires org.slf4j;

    provides dev.jono.spi.BackendProvider with
            dev.jono.backend.postgres.PostgresBackendProvider;
}
