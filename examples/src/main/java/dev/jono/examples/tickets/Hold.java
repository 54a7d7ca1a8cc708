package dev.jono.examples.tickets;

/**
 * A seat that a customer has put into the basket.
 *
 * @param seat the seat
 * @param customer the customer
 */
public record Hold(String seat, String customer) {}
