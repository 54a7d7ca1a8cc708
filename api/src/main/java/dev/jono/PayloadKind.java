package dev.jono;

import java.util.Locale;

/** How the bytes of a payload are to be read. */
public enum PayloadKind {
    /** One JSON value, UTF-8. */
    JSON,
    /** Text, UTF-8. */
    STRING,
    /** Bytes without further meaning. */
    BYTES;

    /** The name in lower case, as commands and layouts write it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
