package dev.jono.examples.micronaut;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;

/** One factory for the process, and a bean for each queue. */
@Factory
public class Queues {
    @Singleton
    @Bean(preDestroy = "close")
    QueueFactory jono(@Value("${jono.url}") String url) {
        return QueueFactory.connect(url);
    }

    @Singleton
    MessageQueue<Order> orders(QueueFactory jono) {
        return jono.queue("orders", Order.class);
    }
}
