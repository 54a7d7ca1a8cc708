package dev.jono;

import java.util.Locale;

/** The kind of an encoded payload, which says how to read its bytes. */
public enum PayloadKind {
    /** One JSON value in UTF-8. */
    JSON,
    /** Text in UTF-8. */
    STRING,
    /** Bytes of an unknown format. */
    BYTES;

    /** The name in lower case, as in commands and in storage layouts. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
