package dev.jono.examples.quarkus;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** One factory for the process, and a bean for each queue. */
@Singleton
public class Queues {
    @Produces
    @Singleton
    QueueFactory jono(@ConfigProperty(name = "jono.url") String url) {
        return QueueFactory.connect(url);
    }

    void close(@Disposes QueueFactory jono) {
        jono.close();
    }

    @Produces
    @Singleton
    MessageQueue<Order> orders(QueueFactory jono) {
        return jono.queue("orders", Order.class);
    }
}
