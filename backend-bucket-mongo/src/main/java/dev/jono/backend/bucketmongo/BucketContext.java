package dev.jono.backend.bucketmongo;

import dev.jono.support.mongo.Indexes;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.QueueMemories;
import dev.jono.support.mongo.Transactions;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What all queues of one backend share. Every part is thread-safe.
 *
 * @param link the connection
 * @param type the backend's type, for messages
 * @param profile what the backend offers, and the indexes that it needs
 * @param options the options of the URL
 * @param transactions multi-document transactions
 * @param indexes creates missing indexes
 * @param memories what this process remembers of each queue
 * @param locks locks of buckets, against other threads of this process
 * @param executor runs blocking work
 * @param falsyPayloadWarned whether the warning about payloads that keuss wraps was logged
 */
record BucketContext(
        MongoLink link,
        String type,
        Profile profile,
        BucketOptions options,
        Transactions transactions,
        Indexes indexes,
        QueueMemories<QueueMemory> memories,
        BucketLocks locks,
        Executor executor,
        AtomicBoolean falsyPayloadWarned) {}
