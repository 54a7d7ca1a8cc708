package dev.jono.examples.orders;

/**
 * What is sold.
 *
 * @param item the thing
 * @param quantity how many of it
 */
public record Order(String item, int quantity) {
    /** Refuses what cannot be shipped. */
    public Order {
        if (item == null || item.isBlank() || quantity < 1) {
            throw new IllegalArgumentException("an order needs an item and a quantity of at least 1");
        }
    }
}
