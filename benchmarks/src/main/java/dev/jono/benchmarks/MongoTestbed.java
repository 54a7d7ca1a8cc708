package dev.jono.benchmarks;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.Codec;
import dev.jono.JonoClock;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/**
 * A MongoDB replica set of one node with its data on disk; fills and checks the queues of a row. Each client has its
 * own database.
 */
final class MongoTestbed implements AutoCloseable {
    private static final int FILLED_AT_ONCE = 1000;
    private static final JonoClock CLOCK = JonoClock.system();

    final MongoReplicaSet servers;
    private final MongoClient mongo;

    MongoTestbed() {
        this.servers = MongoReplicaSet.start(
                1,
                MongoServer.builder()
                        .onDisk()
                        .option("wiredTigerCacheSizeGB", "2")
                        // MongoDB's default; the servers of the tests write more often.
                        .option("journalCommitInterval", "100"));
        this.mongo = MongoClients.create(servers.uri("admin"));
    }

    /** Returns the URI of the database of the client whose queue has this name. */
    String uri(String queue) {
        return servers.uri("bench_" + queue);
    }

    /** Returns the URL for a factory on that database. */
    String url(String type, String queue) {
        return type + ":" + uri(queue);
    }

    BsonDocument serverStatus() {
        return mongo.getDatabase("admin")
                .runCommand(new BsonDocument("serverStatus", new BsonInt32(1)), BsonDocument.class);
    }

    ProcessHandle process() {
        return ProcessHandle.of(servers.nodes().get(0).pid()).orElseThrow();
    }

    /** A round of a client: before it the queue is filled if needed, after it each message must have arrived once. */
    Interleaved.Round round(
            String backend, QueueClient client, QueueClient.Step step, NumberedMessages messages, MongoLoad load) {
        return new Interleaved.Round() {
            @Override
            public void before() throws Exception {
                try (QueueFactory filler = QueueFactory.connect(url(backend, client.queue()))) {
                    MessageQueue<String> queue = filler.queue(client.queue(), Codec.string());
                    requireEmpty(queue);
                    if (step != QueueClient.Step.PUSH) {
                        fill(queue, messages);
                    }
                }
                messages.restart();
                client.prepare(step, messages);
                load.begin();
            }

            @Override
            public long run() throws Exception {
                client.run(step, messages);
                return messages.count();
            }

            @Override
            public void after() throws Exception {
                load.end(messages.count());
                try (QueueFactory filler = QueueFactory.connect(url(backend, client.queue()))) {
                    MessageQueue<String> queue = filler.queue(client.queue(), Codec.string());
                    if (step == QueueClient.Step.PUSH) {
                        popAll(queue, messages, client.writeDelay());
                    }
                    awaitEmpty(queue, client.writeDelay());
                }
                messages.requireEachOnce(client.queue());
                removeHistory(client.queue());
            }
        };
    }

    static void requireEmpty(MessageQueue<?> queue) {
        if (queue.totalSize() != 0) {
            throw new IllegalStateException("messages are left in queue '" + queue.name() + "'");
        }
    }

    /** Pushes the messages. Jono pushes them for all clients, because all use the same layout. */
    static void fill(MessageQueue<String> queue, NumberedMessages messages) {
        for (int i = 0; i < messages.count(); i += FILLED_AT_ONCE) {
            queue.pushAll(messages.payloads.subList(i, Math.min(i + FILLED_AT_ONCE, messages.count())));
        }
    }

    /** Waits until the queue is empty, for clients that write later than they answer; throws if it is not. */
    private static void awaitEmpty(MessageQueue<?> queue, Duration writeDelay) {
        long end = CLOCK.nanos() + writeDelay.toNanos();
        while (queue.totalSize() != 0 && CLOCK.nanos() < end) {
            Thread.onSpinWait();
        }
        requireEmpty(queue);
    }

    /** Counts the messages that the queue holds as arrived, and removes them. */
    private static void popAll(MessageQueue<String> queue, NumberedMessages messages, Duration writeDelay)
            throws InterruptedException {
        List<Message<String>> some;
        do {
            some = queue.pop(FILLED_AT_ONCE, writeDelay);
            some.forEach(message -> messages.arrived(message.payload()));
        } while (!some.isEmpty());
    }

    /** Removes what the storage keeps as history. */
    private void removeHistory(String queue) {
        mongo.getDatabase("bench_" + queue).getCollection(queue).deleteMany(new BsonDocument());
    }

    @Override
    public void close() {
        mongo.close();
        servers.close();
    }
}
