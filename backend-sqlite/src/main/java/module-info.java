/** Jono queues in a SQLite file, with a signaller and stats for the processes that share it. */
@SuppressWarnings("module") // the module of the qualified export is compiled after this one
module dev.jono.backend.sqlite {
    requires dev.jono;
    requires static com.google.errorprone.annotations;
    requires transitive java.sql;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;

    exports dev.jono.backend.sqlite to
            dev.jono.jobs.sqlite;

    provides dev.jono.spi.BackendProvider with
            dev.jono.backend.sqlite.SqliteBackendProvider;
    provides dev.jono.spi.SignallerProvider with
            dev.jono.backend.sqlite.SqliteSignallerProvider;
    provides dev.jono.spi.StatsProvider with
            dev.jono.backend.sqlite.SqliteStatsProvider;
}
