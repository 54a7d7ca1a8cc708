package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.RedisServer;
import java.io.IOException;

/** A Redis without persistence; fills and checks the queues of a row before and after each round. */
final class RedisTestbed implements AutoCloseable {
    private static final String INDEX = "keuss:q:ordered_queue:index:";
    private static final String HASH = "keuss:q:ordered_queue:hash:";
    private static final String LIST = "keuss:q:list:";

    final RedisServer redis = RedisServer.start();
    private final boolean list;
    private final QueueFactory filler;

    RedisTestbed(String backend) {
        this.list = backend.equals("redis-list");
        this.filler = QueueFactory.connect(backend + ":" + redis.uri());
    }

    /** Returns the URL for a factory. */
    static String url(String backend, RedisServer redis) {
        return backend + ":" + redis.uri();
    }

    /** A round of a client: before it the queue is filled if needed, after it each message must have arrived once. */
    Interleaved.Round round(QueueClient client, QueueClient.Step step, NumberedMessages messages, RedisLoad load) {
        return new Interleaved.Round() {
            @Override
            public void before() throws Exception {
                requireEmpty(client);
                messages.restart();
                if (step != QueueClient.Step.PUSH) {
                    fill(client.queue(), messages);
                }
                client.prepare(step, messages);
                load.begin();
            }

            @Override
            public long run() throws Exception {
                client.run(step, messages);
                return messages.count();
            }

            @Override
            public void after() {
                load.end();
                if (step == QueueClient.Step.PUSH) {
                    stored(client.queue(), messages);
                }
                messages.requireEachOnce(client.queue());
            }
        };
    }

    private void requireEmpty(QueueClient client) {
        String key = list ? LIST + client.queue() : HASH + client.queue();
        Object left = redis.call("EXISTS", key);
        if (!Long.valueOf(0).equals(left)) {
            throw new IllegalStateException("messages are left in queue '" + client.queue() + "'");
        }
    }

    /** Pushes the messages. Jono pushes them for all clients, because all use the same layout. */
    void fill(String queue, NumberedMessages messages) {
        MessageQueue<String> to = filler.queue(queue, Codec.string());
        for (int i = 0; i < messages.count(); i += 1000) {
            to.pushAll(messages.payloads.subList(i, Math.min(i + 1000, messages.count())));
        }
    }

    /** Counts the messages that the queue holds as arrived, and removes them. */
    private void stored(String queue, NumberedMessages messages) {
        var texts =
                list ? redis.callForList("LRANGE", LIST + queue, "0", "-1") : redis.callForList("HVALS", HASH + queue);
        for (Object text : texts) {
            messages.stored((String) text);
        }
        if (!list && !Long.valueOf(texts.size()).equals(redis.call("ZCARD", INDEX + queue))) {
            throw new IllegalStateException("queue '" + queue + "': the index and the hash differ in size");
        }
        redis.call("DEL", LIST + queue, HASH + queue, INDEX + queue);
    }

    @Override
    public void close() throws IOException {
        filler.close();
        redis.close();
    }
}
