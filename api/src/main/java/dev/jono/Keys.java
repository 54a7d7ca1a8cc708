package dev.jono;

import java.util.Objects;

/** The rules that ordering keys, unique keys and their scopes have in common. */
final class Keys {
    private static final int MAX_LENGTH = 256;

    private Keys() {}

    /** Returns the key; refuses one that is empty, too long, or contains a NUL or an unpaired surrogate. */
    static String check(String key, String what) {
        Objects.requireNonNull(key, what);
        if (key.isEmpty() || key.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    what + " must have 1 to " + MAX_LENGTH + " characters, and has " + key.length());
        }
        if (key.indexOf('\0') >= 0
                || key.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw new IllegalArgumentException(what + " must not contain NUL or half a surrogate pair");
        }
        return key;
    }
}
