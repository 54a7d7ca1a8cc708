package dev.jono.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/**
 * Whether each message of a round arrived once, over all processes that took.
 *
 * @param lost messages that did not arrive
 * @param late messages that arrived only when a further take looked for them
 * @param repeated messages that arrived more than once
 * @param foreign texts that are not a message of the round, or were changed
 */
record DeliveryCheck(int lost, int late, int repeated, int foreign) {
    /** Each message arrived once. */
    static final DeliveryCheck CLEAN = new DeliveryCheck(0, 0, 0, 0);

    /** Returns the check of the answers of all processes; {@code count} messages were sent. */
    static DeliveryCheck of(int count, List<JsonNode> answers) {
        BitSet all = new BitSet(count);
        int repeated = 0;
        int foreign = 0;
        for (JsonNode answer : answers) {
            BitSet seen = BitSet.valueOf(
                    Base64.getDecoder().decode(answer.path("seen").asText("")));
            BitSet both = (BitSet) seen.clone();
            both.and(all);
            repeated += both.cardinality() + answer.path("again").asInt();
            foreign += answer.path("foreign").asInt();
            all.or(seen);
        }
        return new DeliveryCheck(count - all.cardinality(), 0, repeated, foreign);
    }

    /** Returns this check after a further take: messages that arrived only then are late, not lost. */
    DeliveryCheck after(DeliveryCheck whole) {
        return new DeliveryCheck(whole.lost, lost - whole.lost, whole.repeated, whole.foreign);
    }

    boolean clean() {
        return equals(CLEAN);
    }

    @Override
    public String toString() {
        return clean()
                ? "each message once"
                : String.format(
                        Locale.ROOT,
                        "%,d lost, %,d late (a further take found them), %,d repeated, %,d of another round",
                        lost,
                        late,
                        repeated,
                        foreign);
    }
}
