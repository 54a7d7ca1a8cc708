/** Signals by {@code LISTEN} and {@code NOTIFY} of PostgreSQL. */
module dev.jono.signal.postgres {
    requires dev.jono;
    requires dev.jono.support.postgres;
    requires static com.google.errorprone.annotations;
    requires org.postgresql.jdbc;
    requires org.slf4j;

    provides dev.jono.spi.SignallerProvider with
            dev.jono.signal.postgres.PostgresSignallerProvider;
}
