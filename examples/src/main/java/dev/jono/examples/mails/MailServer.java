package dev.jono.examples.mails;

/** Delivers mails. Here it stands for an SMTP server, or for the HTTP API of a provider. */
@FunctionalInterface
public interface MailServer {
    /**
     * Delivers a mail.
     *
     * @throws RefusedAddressException if there is no such address, so that another attempt is useless
     * @throws Exception if the server does not answer
     */
    void send(Mail mail) throws Exception;

    /** The server knows that nobody has this address. */
    final class RefusedAddressException extends Exception {
        private static final long serialVersionUID = 1L;

        /** A refusal. */
        public RefusedAddressException(String address) {
            super("no such address: " + address);
        }
    }
}
