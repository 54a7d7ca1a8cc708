/** Jono queues in a SQLite file, with a signaller and stats for the processes that share it. */
module dev.jono.backend.sqlite {
    requires transitive dev.jono;
    requires static com.google.errorprone.annotations;
    requires transitive java.sql;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;

    exports dev.jono.backend.sqlite;

    provides dev.jono.spi.BackendProvider with
            dev.jono.backend.sqlite.SqliteBackendProvider;
    provides dev.jono.spi.SignallerProvider with
            dev.jono.backend.sqlite.SqliteSignallerProvider;
    provides dev.jono.spi.StatsProvider with
            dev.jono.backend.sqlite.SqliteStatsProvider;
}
