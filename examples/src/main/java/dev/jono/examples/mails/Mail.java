package dev.jono.examples.mails;

/**
 * A mail to a customer.
 *
 * @param to the address
 * @param order the number of the order that the mail is about
 * @param template what the mail says, such as {@code shipped}
 */
public record Mail(String to, String order, String template) {}
