package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.RedisServer;
import java.io.IOException;

/** A Redis without persistence, and what is done to its queues beside what is measured. */
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

    /** A factory's URL. */
    static String url(String backend, RedisServer redis) {
        return backend + ":" + redis.uri();
    }

    /** One round of a contender: what it needs lies ready, and afterwards each message must have arrived once. */
    Interleaved.Round turn(QueueClient who, QueueClient.Step step, NumberedMessages messages, RedisLoad load) {
        return new Interleaved.Round() {
            @Override
            public void before() throws Exception {
                requireEmpty(who);
                messages.restart();
                if (step != QueueClient.Step.PUSH) {
                    fill(who.queue(), messages);
                }
                who.prepare(step, messages);
                load.begin();
            }

            @Override
            public long run() throws Exception {
                who.run(step, messages);
                return messages.count();
            }

            @Override
            public void after() {
                load.end();
                if (step == QueueClient.Step.PUSH) {
                    stored(who.queue(), messages);
                }
                messages.requireEachOnce(who.queue());
            }
        };
    }

    private void requireEmpty(QueueClient who) {
        String key = list ? LIST + who.queue() : HASH + who.queue();
        Object left = redis.call("EXISTS", key);
        if (!Long.valueOf(0).equals(left)) {
            throw new IllegalStateException("something is left in the queue '" + who.queue() + "'");
        }
    }

    /** The layout is one for all contenders, so who puts the messages there does not matter. */
    void fill(String queue, NumberedMessages messages) {
        MessageQueue<String> to = filler.queue(queue, Codec.string());
        for (int i = 0; i < messages.count(); i += 1000) {
            to.pushAll(messages.payloads.subList(i, Math.min(i + 1000, messages.count())));
        }
    }

    /** Takes down what a queue holds, and empties it. */
    private void stored(String queue, NumberedMessages messages) {
        var texts =
                list ? redis.callForList("LRANGE", LIST + queue, "0", "-1") : redis.callForList("HVALS", HASH + queue);
        for (Object text : texts) {
            messages.stored((String) text);
        }
        if (!list && !Long.valueOf(texts.size()).equals(redis.call("ZCARD", INDEX + queue))) {
            throw new IllegalStateException("queue '" + queue + "': as many in the index as in the hash are expected");
        }
        redis.call("DEL", LIST + queue, HASH + queue, INDEX + queue);
    }

    @Override
    public void close() throws IOException {
        filler.close();
        redis.close();
    }
}
