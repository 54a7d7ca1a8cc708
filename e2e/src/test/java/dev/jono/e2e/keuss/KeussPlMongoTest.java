package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.MessageQueue;
import dev.jono.QueueOptions;
import dev.jono.pipeline.Outcome;
import dev.jono.pipeline.Pipeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** {@code pl-mongo} together with keuss's, in the pipeline that keuss calls {@code default}. */
class KeussPlMongoTest extends KeussMongoCase {
    KeussPlMongoTest() {
        super("pl-mongo");
    }

    @Override
    public KeussCase together() {
        return this;
    }

    /** keuss moves the message with a step of its pipelines, and sends no signal. */
    @Override
    public String movedToDeadLetter() {
        return "false";
    }

    @Override
    public int deadLettersCounted() {
        return 0;
    }

    /** This test polls, because keuss sends no signal within 50 ms of its last one, even for the last message. */
    @Test
    void stageOfKeussBetweenTwoOfOurs() {
        MessageQueue<JsonNode> first = json("first");
        MessageQueue<JsonNode> second = json("second");
        MessageQueue<JsonNode> third = jono.queue(
                "third",
                JsonNode.class,
                QueueOptions.builder().pollInterval(Duration.ofSeconds(1)).build());
        List<JsonNode> out = new CopyOnWriteArrayList<>();
        int all = 60;
        Runnable unlink = factory.queue("second", Map.of("pollInterval", 1_000))
                .link(factory.queue("third"), Map.of("$set", Map.of("node", true)));
        try (Pipeline pipeline = jono.pipeline("shop")
                .concurrency(4)
                .direct(
                        first,
                        second,
                        (payload, message) -> Outcome.next().payload(((ObjectNode) payload.deepCopy()).put("java", 1)))
                .sink(third, (payload, message) -> {
                    assertThat(message.tries()).isZero();
                    out.add(payload);
                    return Outcome.next();
                })
                .start()) {
            assertThat(pipeline.links()).hasSize(2);
            first.pushAll(IntStream.range(0, all)
                    .<JsonNode>mapToObj(i -> Keuss.JSON.createObjectNode().put("n", i))
                    .toList());
            Awaitility.await("all to come through").atMost(LONG).until(() -> out.size() >= all);
        } finally {
            unlink.run();
        }
        assertThat(out)
                .extracting(JsonNode::toString)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, all)
                        .mapToObj(i -> "{\"n\":" + i + ",\"java\":1,\"node\":true}")
                        .toList());
        assertThat(first.totalSize() + second.totalSize() + third.totalSize()).isZero();
        assertThat(jono.deadLetters().totalSize()).isZero();
    }
}
