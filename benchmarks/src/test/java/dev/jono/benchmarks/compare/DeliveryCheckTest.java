package dev.jono.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The check finds lost, repeated and foreign messages, within one process and between processes. */
class DeliveryCheckTest {
    private static final int FIRST = 1000;
    private static final int COUNT = 200;
    private final Payloads payloads = new Payloads(FIRST, COUNT, 40);

    private JsonNode arrived(int... indexes) {
        Arrivals arrivals = new Arrivals(payloads);
        for (int index : indexes) {
            arrivals.add(payloads.text(index));
        }
        return answer(arrivals);
    }

    private static JsonNode answer(Arrivals arrivals) {
        return new ObjectMapper()
                .createObjectNode()
                .put("seen", arrivals.encoded())
                .put("again", arrivals.repeated())
                .put("foreign", arrivals.foreign());
    }

    private JsonNode range(int from, int to) {
        return arrived(IntStream.range(from, to).toArray());
    }

    @Test
    void eachMessageOnceIsClean() {
        DeliveryCheck check = DeliveryCheck.of(COUNT, List.of(range(0, 64), range(64, COUNT)));
        assertThat(check.clean()).isTrue();
        assertThat(check).hasToString("each message once");
    }

    @Test
    void aLostLastMessageIsFound() {
        assertThat(DeliveryCheck.of(COUNT, List.of(range(0, COUNT - 1)))).isEqualTo(new DeliveryCheck(1, 0, 0, 0));
    }

    @Test
    void aMessageRepeatedInOneProcessIsFound() {
        assertThat(DeliveryCheck.of(COUNT, List.of(range(0, COUNT - 1), arrived(COUNT - 1, COUNT - 1))))
                .isEqualTo(new DeliveryCheck(0, 0, 1, 0));
    }

    @Test
    void aMessageRepeatedInTwoProcessesIsFound() {
        assertThat(DeliveryCheck.of(COUNT, List.of(range(0, 101), range(100, COUNT))))
                .isEqualTo(new DeliveryCheck(0, 0, 1, 0));
    }

    @Test
    void aMessageOfAnotherRoundIsForeign() {
        Arrivals arrivals = new Arrivals(payloads);
        arrivals.add(new Payloads(FIRST - 1, 1, 40).text(0));
        arrivals.add(new Payloads(FIRST + COUNT, 1, 40).text(0));
        arrivals.add("not one of ours");
        assertThat(DeliveryCheck.of(COUNT, List.of(range(0, COUNT), answer(arrivals))))
                .isEqualTo(new DeliveryCheck(0, 0, 0, 3));
    }

    @Test
    void aMessageThatAFurtherTakeFindsIsLateNotLost() {
        JsonNode first = range(0, 150);
        DeliveryCheck found = DeliveryCheck.of(COUNT, List.of(first));
        DeliveryCheck whole = DeliveryCheck.of(COUNT, List.of(first, range(150, 190)));
        assertThat(found.after(whole)).isEqualTo(new DeliveryCheck(10, 40, 0, 0));
        assertThat(found.after(whole).clean()).isFalse();
    }
}
