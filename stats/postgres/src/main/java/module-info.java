/** Counters and the paused flag in PostgreSQL. */
module dev.jono.stats.postgres {
    requires dev.jono;
    requires dev.jono.support.postgres;
    requires static com.google.errorprone.annotations;
    requires org.slf4j;

    provides dev.jono.spi.StatsProvider with
            dev.jono.stats.postgres.PostgresStatsProvider;
}
