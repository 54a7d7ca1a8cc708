package dev.jono.examples.payments;

/**
 * A change of the balance of an account.
 *
 * @param id the id that the sender has chosen; the same if the sender sends the payment again
 * @param account the account
 * @param cents the amount, negative for a withdrawal
 */
public record Payment(String id, String account, long cents) {}
