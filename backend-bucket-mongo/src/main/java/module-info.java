/** Jono queues on MongoDB with many messages in one document: {@code bucket-mongo-safe} and {@code bucket-mongo}. */
module dev.jono.backend.bucketmongo {
    requires dev.jono;
    requires dev.jono.support.mongo;
    requires org.slf4j;
    requires static com.google.errorprone.annotations;

    provides dev.jono.spi.BackendProvider with
            dev.jono.backend.bucketmongo.BucketMongoBackendProvider,
            dev.jono.backend.bucketmongo.BucketMongoSafeBackendProvider;
}
