/** What Jono's modules for MongoDB share. Applications use only {@link dev.jono.support.mongo.MongoStorage}. */
module dev.jono.support.mongo {
    requires transitive dev.jono;
    requires transitive org.mongodb.bson;
    requires transitive org.mongodb.driver.core;
    requires transitive org.mongodb.driver.sync.client;
    requires static com.google.errorprone.annotations;
    requires com.fasterxml.jackson.core;
    requires org.slf4j;

    exports dev.jono.support.mongo;
}
