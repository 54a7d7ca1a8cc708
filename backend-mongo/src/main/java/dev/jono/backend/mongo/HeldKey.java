package dev.jono.backend.mongo;

import dev.jono.spi.Receipt;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The ordering key of a claimed message, as the receipt carries it behind the fence. So an ack reads the message and the
 * document of its key in one query.
 */
final class HeldKey {
    private static final char SEPARATOR = '-';

    private HeldKey() {}

    /**
     * The token of a receipt.
     *
     * @param key the ordering key; null for none
     */
    static String token(Fence fence, @Nullable String key) {
        if (key == null) {
            return fence.text();
        }
        // A receipt must not contain a colon, and is typed in command lines.
        return fence.text()
                + SEPARATOR
                + Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    /** The ordering key in a receipt; null if it has none. */
    static @Nullable String of(Receipt receipt) {
        String[] parts = receipt.token().split(String.valueOf(SEPARATOR), 3);
        if (parts.length < 3) {
            return null;
        }
        try {
            return new String(Base64.getUrlDecoder().decode(parts[2]), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException foreign) {
            return null;
        }
    }
}
