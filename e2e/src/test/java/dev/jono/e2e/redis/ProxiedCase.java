package dev.jono.e2e.redis;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Starts a server for each test, and a proxy in front of it. */
abstract class ProxiedCase {
    RedisServer redis;
    TcpProxy proxy;
    private final List<QueueFactory> factories = new ArrayList<>();

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        proxy = TcpProxy.to(redis.host(), redis.port());
    }

    @AfterEach
    void close() {
        factories.forEach(QueueFactory::close);
        proxy.close();
        redis.close();
    }

    /** The same queue for all tests, each time through a new factory. */
    MessageQueue<String> orders(String url) {
        QueueFactory factory = QueueFactory.connect(url);
        factories.add(factory);
        return factory.queue("orders", Codec.string());
    }

    String proxied(String backend) {
        return backend + ":redis://127.0.0.1:" + proxy.port();
    }
}
