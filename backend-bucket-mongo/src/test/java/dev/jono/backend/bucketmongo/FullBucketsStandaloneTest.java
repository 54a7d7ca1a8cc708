package dev.jono.backend.bucketmongo;

import dev.jono.testkit.server.MongoServer;

/** {@link FullBucketsCase} on a server without transactions. */
class FullBucketsStandaloneTest extends FullBucketsCase {
    FullBucketsStandaloneTest() {
        super(start());
    }

    private static Running start() {
        MongoServer server = server().start();
        return new Running(server.uri("jono"), "insert", server);
    }
}
