package dev.jono.backend.bucketmongo;

import dev.jono.testkit.server.MongoReplicaSet;

/** {@link FullBucketsCase} on a replica set. */
class FullBucketsTest extends FullBucketsCase {
    FullBucketsTest() {
        super(start());
    }

    private static Running start() {
        MongoReplicaSet set = MongoReplicaSet.start(1, server());
        return new Running(set.uri("jono"), "update", set);
    }
}
