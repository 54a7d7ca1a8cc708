package dev.jono.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/** Whether each message of a round arrived once, over all processes that took. */
record DeliveryCheck(int missing, int late, int again, int foreign) {
    /** All well. */
    static final DeliveryCheck CLEAN = new DeliveryCheck(0, 0, 0, 0);

    /** Compares what the processes say they saw. */
    static DeliveryCheck of(int count, List<JsonNode> answers) {
        BitSet all = new BitSet(count);
        int again = 0;
        int foreign = 0;
        for (JsonNode answer : answers) {
            BitSet seen = BitSet.valueOf(
                    Base64.getDecoder().decode(answer.path("seen").asText("")));
            BitSet both = (BitSet) seen.clone();
            both.and(all);
            again += both.cardinality() + answer.path("again").asInt();
            foreign += answer.path("foreign").asInt();
            all.or(seen);
        }
        return new DeliveryCheck(count - all.cardinality(), 0, again, foreign);
    }

    /** This, when a further look at the queue has been taken: what came then is not lost, it was late. */
    DeliveryCheck after(DeliveryCheck whole) {
        return new DeliveryCheck(whole.missing, missing - whole.missing, whole.again, whole.foreign);
    }

    boolean clean() {
        return equals(CLEAN);
    }

    @Override
    public String toString() {
        return clean()
                ? "each once"
                : String.format(
                        Locale.ROOT,
                        "%,d lost, %,d came only when somebody looked again, %,d twice, %,d of another round",
                        missing,
                        late,
                        again,
                        foreign);
    }
}
