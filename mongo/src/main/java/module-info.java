/** All of Jono for MongoDB, to be required in one line. */
module dev.jono.mongo {
    requires transitive dev.jono;
    requires dev.jono.backend.bucketmongo;
    requires dev.jono.backend.mongo;
    requires dev.jono.jobs.mongo;
    requires dev.jono.signal.mongocapped;
    requires dev.jono.stats.mongo;
}
