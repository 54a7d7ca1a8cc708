package dev.jono.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;

/** Whether each message of a round arrived once, over all processes that took. */
record Check(int missing, int again, int foreign) {
    /** Compares what the processes say they saw. */
    static Check of(int count, List<JsonNode> answers) {
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
        return new Check(count - all.cardinality(), again, foreign);
    }

    boolean clean() {
        return missing == 0 && again == 0 && foreign == 0;
    }

    @Override
    public String toString() {
        return clean() ? "each once" : missing + " lost, " + again + " twice, " + foreign + " foreign";
    }
}
