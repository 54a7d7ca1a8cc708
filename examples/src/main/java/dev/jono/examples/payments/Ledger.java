package dev.jono.examples.payments;

/** Where payments are booked, such as the system of a bank. Called by several threads. */
@FunctionalInterface
public interface Ledger {
    /**
     * Books a payment. Does nothing if it has booked a payment of this id already.
     *
     * @throws Exception if the payment is not booked, and should be tried again
     */
    void book(Payment payment) throws Exception;
}
