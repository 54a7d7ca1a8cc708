package dev.jono.examples.micronaut;

import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes parcels. */
@Singleton
public class Carrier {
    private final List<Order> shipped = new CopyOnWriteArrayList<>();

    /** Ships an order. */
    public void ship(Order order) {
        shipped.add(order);
    }

    /** What was shipped so far. */
    public List<Order> shipped() {
        return List.copyOf(shipped);
    }
}
