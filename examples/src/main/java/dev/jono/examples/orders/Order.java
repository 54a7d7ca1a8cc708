package dev.jono.examples.orders;

/**
 * An order.
 *
 * @param item the name of the item
 * @param quantity the number of items
 */
public record Order(String item, int quantity) {
    /** Refuses an invalid order. */
    public Order {
        if (item == null || item.isBlank() || quantity < 1) {
            throw new IllegalArgumentException("an order needs an item and a quantity of at least 1");
        }
    }
}
