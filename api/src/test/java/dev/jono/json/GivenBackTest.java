package dev.jono.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What a JSON codec accepts, it gives back: for generated types and values. A failure names the seed of its type; {@code
 * -Dtest.seed=N} begins with it.
 */
class GivenBackTest {
    private static final int TYPES = 1_500;
    private static final int VALUES = 5;

    @Test
    void whatIsAcceptedComesBack() throws Exception {
        long first = Long.getLong("test.seed", System.nanoTime());
        int refused = 0;
        for (long seed = first; seed < first + TYPES; seed++) {
            Random random = new Random(seed);
            Kinds.Kind kind = new Kinds(random).any(random.nextInt(4));
            @SuppressWarnings("unchecked") // its values are of its type
            Codec<Object> codec = (Codec<Object>) JsonCodecs.standard().codec(kind.type());
            for (int i = 0; i < VALUES; i++) {
                refused += comesBack(codec, kind, kind.values().get(), seed) ? 0 : 1;
            }
        }
        assertThat(refused).as("refused payloads, seeds from %d", first).isLessThan(TYPES * VALUES / 20);
    }

    /** Whether it was accepted. */
    private static boolean comesBack(Codec<Object> codec, Kinds.Kind kind, Object value, long seed) throws Exception {
        String sent = Payloads.text(value);
        EncodedPayload encoded;
        try {
            encoded = codec.encode(value, Headers.empty());
        } catch (IllegalArgumentException refused) {
            assertThat(refused).as("seed %d: %s of %s", seed, sent, kind).hasMessageContaining("JSON is null");
            return false;
        }
        try {
            assertThat(Payloads.text(codec.decode(encoded, Headers.empty())))
                    .as("seed %d, a payload of %s in %s", seed, kind, encoded.text())
                    .isEqualTo(sent);
        } catch (Exception undecodable) {
            throw new AssertionError("seed " + seed + ", a payload of " + kind + " in " + encoded.text(), undecodable);
        }
        return true;
    }
}
