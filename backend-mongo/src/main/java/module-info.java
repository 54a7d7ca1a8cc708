/** Jono queues on MongoDB: {@code mongo}, {@code pl-mongo} for pipelines, {@code ps-mongo} with history. */
module dev.jono.backend.mongo {
    requires dev.jono;
    requires dev.jono.support.mongo;
    requires static com.google.errorprone.annotations;

    provides dev.jono.spi.BackendProvider with
            dev.jono.backend.mongo.MongoBackendProvider,
            dev.jono.backend.mongo.PlMongoBackendProvider,
            dev.jono.backend.mongo.PsMongoBackendProvider;
}
