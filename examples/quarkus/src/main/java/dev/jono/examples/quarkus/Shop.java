package dev.jono.examples.quarkus;

import dev.jono.MessageQueue;
import jakarta.inject.Singleton;

/** Takes orders. */
@Singleton
public class Shop {
    private final MessageQueue<Order> orders;

    Shop(MessageQueue<Order> orders) {
        this.orders = orders;
    }

    /** When this returns, the order is stored. */
    public void buy(Order order) {
        orders.push(order);
    }
}
