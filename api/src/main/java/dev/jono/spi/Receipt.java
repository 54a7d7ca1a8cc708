package dev.jono.spi;

/**
 * The right to settle one reservation: the id of the message, and a token that the storage compares. Only the backend
 * that made the token can read it. A receipt stays valid over an extend. Another process can use its text form, {@link
 * #encoded()}. Immutable.
 */
public final class Receipt {
    private final String id;
    private final String token;

    private Receipt(String id, String token) {
        this.id = id;
        this.token = token;
    }

    /**
     * Returns a receipt.
     *
     * @param id the id of the message
     * @param token the fence; not empty, and without {@code ':'}
     * @throws IllegalArgumentException if the token is empty or contains a colon
     */
    public static Receipt of(String id, String token) {
        if (token.isEmpty() || token.indexOf(':') >= 0) {
            throw new IllegalArgumentException("the token of a receipt must not be empty and must not contain a colon");
        }
        return new Receipt(id, token);
    }

    /**
     * Parses the text form.
     *
     * @throws IllegalArgumentException if the text is not a receipt
     */
    public static Receipt parse(String encoded) {
        int colon = encoded.indexOf(':');
        if (colon < 1 || colon == encoded.length() - 1) {
            throw new IllegalArgumentException("'" + encoded + "' is not a receipt: expected TOKEN:ID");
        }
        return new Receipt(encoded.substring(colon + 1), encoded.substring(0, colon));
    }

    /** The id of the message. */
    public String id() {
        return id;
    }

    /** The fence that the backend made. */
    public String token() {
        return token;
    }

    /** The text form, {@code TOKEN:ID}. */
    public String encoded() {
        return token + ':' + id;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Receipt r && r.id.equals(id) && r.token.equals(token);
    }

    @Override
    public int hashCode() {
        return 31 * id.hashCode() + token.hashCode();
    }

    @Override
    public String toString() {
        return encoded();
    }
}
