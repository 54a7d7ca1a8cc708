package dev.jono.backend.bucketmongo;

import dev.jono.testkit.server.MongoServer;

/** Without transactions. */
class FullBucketsStandaloneTest extends FullBucketsCase {
    FullBucketsStandaloneTest() {
        super(start());
    }

    private static Running start() {
        MongoServer server = server().start();
        return new Running(server.uri("jono"), "insert", server);
    }
}
