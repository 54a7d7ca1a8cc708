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

/** A replica set of one node, and what is done to its queues beside what is measured. Each contender has its database. */
final class MongoTestbed implements AutoCloseable {
    private static final int FILLED_AT_ONCE = 1000;
    private static final JonoClock CLOCK = JonoClock.system();

    final MongoReplicaSet servers;
    private final MongoClient client;

    MongoTestbed() {
        this.servers = MongoReplicaSet.start(
                1,
                MongoServer.builder()
                        .onDisk()
                        .option("wiredTigerCacheSizeGB", "2")
                        // As it is where nobody sets it: the tests' servers write more often.
                        .option("journalCommitInterval", "100"));
        this.client = MongoClients.create(servers.uri("admin"));
    }

    /** The URI of the database of a contender, whose queue is called so. */
    String uri(String queue) {
        return servers.uri("bench_" + queue);
    }

    /** A factory's URL on that database. */
    String url(String type, String queue) {
        return type + ":" + uri(queue);
    }

    BsonDocument serverStatus() {
        return client.getDatabase("admin")
                .runCommand(new BsonDocument("serverStatus", new BsonInt32(1)), BsonDocument.class);
    }

    ProcessHandle process() {
        return ProcessHandle.of(servers.nodes().get(0).pid()).orElseThrow();
    }

    /** One round of a contender: what it needs lies ready, and afterwards each message must have arrived once. */
    Interleaved.Round turn(String backend, QueueClient who, QueueClient.Step step, NumberedMessages messages, MongoLoad load) {
        return new Interleaved.Round() {
            @Override
            public void before() throws Exception {
                try (QueueFactory beside = QueueFactory.connect(url(backend, who.queue()))) {
                    MessageQueue<String> queue = beside.queue(who.queue(), Codec.string());
                    requireEmpty(queue);
                    if (step != QueueClient.Step.PUSH) {
                        fill(queue, messages);
                    }
                }
                messages.restart();
                who.prepare(step, messages);
                load.begin();
            }

            @Override
            public long run() throws Exception {
                who.run(step, messages);
                return messages.count();
            }

            @Override
            public void after() throws Exception {
                load.end(messages.count());
                try (QueueFactory beside = QueueFactory.connect(url(backend, who.queue()))) {
                    MessageQueue<String> queue = beside.queue(who.queue(), Codec.string());
                    if (step == QueueClient.Step.PUSH) {
                        popAll(queue, messages, who.settles());
                    }
                    awaitEmpty(queue, who.settles());
                }
                messages.requireEachOnce(who.queue());
                forget(who.queue());
            }
        };
    }

    static void requireEmpty(MessageQueue<?> queue) {
        if (queue.totalSize() != 0) {
            throw new IllegalStateException("something is left in the queue '" + queue.name() + "'");
        }
    }

    /** The layout is one for all contenders, so who puts the messages there does not matter. */
    static void fill(MessageQueue<String> queue, NumberedMessages messages) {
        for (int i = 0; i < messages.count(); i += FILLED_AT_ONCE) {
            queue.pushAll(messages.payloads.subList(i, Math.min(i + FILLED_AT_ONCE, messages.count())));
        }
    }

    /** Gives a contender that stores what it has done a while later that while. */
    private static void awaitEmpty(MessageQueue<?> queue, Duration settles) {
        long end = CLOCK.nanos() + settles.toNanos();
        while (queue.totalSize() != 0 && CLOCK.nanos() < end) {
            Thread.onSpinWait();
        }
        requireEmpty(queue);
    }

    /** Takes down what a queue holds, and empties it. */
    private static void popAll(MessageQueue<String> queue, NumberedMessages messages, Duration settles)
            throws InterruptedException {
        List<Message<String>> some;
        do {
            some = queue.pop(FILLED_AT_ONCE, settles);
            some.forEach(message -> messages.arrived(message.payload()));
        } while (!some.isEmpty());
    }

    /** What is kept as history. */
    private void forget(String queue) {
        client.getDatabase("bench_" + queue).getCollection(queue).deleteMany(new BsonDocument());
    }

    @Override
    public void close() {
        client.close();
        servers.close();
    }
}
