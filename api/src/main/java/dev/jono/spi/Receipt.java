package dev.jono.spi;

/**
 * The right to settle one reservation: the message's id, and a token that the storage compares. Only the
 * backend that made it can read the token. It survives an extend, and its text form ({@link #encoded()}) may
 * be written down and used from another process.
 */
public final class Receipt {
    private final String id;
    private final String token;

    private Receipt(String id, String token) {
        this.id = id;
        this.token = token;
    }

    /**
     * A receipt.
     *
     * @param id the message's id
     * @param token the fence, without {@code ':'}
     * @throws IllegalArgumentException if the token is empty or holds a colon
     */
    public static Receipt of(String id, String token) {
        if (token.isEmpty() || token.indexOf(':') >= 0) {
            throw new IllegalArgumentException("a receipt's token must hold no colon and not be empty");
        }
        return new Receipt(id, token);
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException if the text is no receipt
     */
    public static Receipt parse(String encoded) {
        int colon = encoded.indexOf(':');
        if (colon < 1 || colon == encoded.length() - 1) {
            throw new IllegalArgumentException("'" + encoded + "' is not a receipt: expected TOKEN:ID");
        }
        return new Receipt(encoded.substring(colon + 1), encoded.substring(0, colon));
    }

    /** The message's id. */
    public String id() {
        return id;
    }

    /** The fence, as the backend made it. */
    public String token() {
        return token;
    }

    /** The text form. */
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
