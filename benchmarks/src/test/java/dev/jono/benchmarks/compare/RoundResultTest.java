package dev.jono.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundResultTest {
    private static final double[] NONE = {0, 0};

    private static RoundResult result() {
        return RoundResult.of(1000, 0, 500_000_000, new double[] {1, 2}, new double[] {1.5, 2.25});
    }

    private static JsonNode delays(int... micros) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * micros.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(micros);
        return new ObjectMapper()
                .createObjectNode()
                .put("micros", Base64.getEncoder().encodeToString(bytes.array()));
    }

    @Test
    void rateAndCpuTimeArePerMessage() {
        assertThat(result().perSecond()).isEqualTo(2000);
        assertThat(result().figures())
                .containsEntry("clientCpuSecondsPerMillion", 500.0)
                .containsEntry("serverCpuSecondsPerMillion", 250.0);
    }

    @Test
    void twoStepsOfARoundAddTheirTimes() {
        RoundResult both = result().then(RoundResult.of(1000, 0, 1_500_000_000, NONE, new double[] {1, 0}));
        assertThat(both.perSecond()).isEqualTo(500);
        assertThat(both.figures())
                .containsEntry("perSecond", 500.0)
                .containsEntry("clientCpuSecondsPerMillion", 1500.0)
                .containsEntry("serverCpuSecondsPerMillion", 250.0);
    }

    @Test
    void aRoundWithLostMessagesHasNoRate() {
        RoundResult lost = result().checked(new DeliveryCheck(1, 0, 0, 0));
        assertThat(lost.figures()).doesNotContainKey("perSecond").containsKey("check");
        assertThat(result().checked(DeliveryCheck.CLEAN).figures()).containsKey("perSecond");
    }

    @Test
    void percentilesAreOfAllConsumersTogether() {
        int[] low = IntStream.rangeClosed(1, 990).toArray();
        int[] high = IntStream.rangeClosed(991, 1000).toArray();
        assertThat(RoundResult.of(1000, 0, 1, NONE, NONE)
                        .delays(List.of(delays(high), delays(low)))
                        .figures())
                .containsEntry("p50Micros", 500)
                .containsEntry("p99Micros", 990)
                .containsEntry("p999Micros", 999)
                .containsEntry("maxMicros", 1000);
    }

    @Test
    void aPercentileOfOneValueIsThatValue() {
        assertThat(RoundResult.percentile(new int[] {7}, 50)).isEqualTo(7);
        assertThat(RoundResult.percentile(new int[] {7}, 99.9)).isEqualTo(7);
    }
}
