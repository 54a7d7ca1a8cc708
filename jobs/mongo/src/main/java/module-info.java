/** Records of jobs in the MongoDB database of the queues. */
module dev.jono.jobs.mongo {
    requires dev.jono.jobs;
    requires dev.jono.support.mongo;
    requires static com.google.errorprone.annotations;
    requires org.slf4j;

    provides dev.jono.jobs.spi.JobStoreProvider with
            dev.jono.jobs.mongo.MongoJobStoreProvider;
}
