package dev.jono.examples.tickets;

/**
 * A seat that somebody has put into a basket.
 *
 * @param seat which seat
 * @param customer who holds it
 */
public record Hold(String seat, String customer) {}
