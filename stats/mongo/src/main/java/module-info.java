/** Counters and the paused flag in MongoDB, in the format of keuss. */
module dev.jono.stats.mongo {
    requires dev.jono;
    requires dev.jono.support.mongo;
    requires static com.google.errorprone.annotations;
    requires org.slf4j;

    provides dev.jono.spi.StatsProvider with
            dev.jono.stats.mongo.MongoStatsProvider;
}
