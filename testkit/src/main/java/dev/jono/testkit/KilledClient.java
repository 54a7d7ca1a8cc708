package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** Kills a process that runs several steps at once, and checks the messages of each step. */
public final class KilledClient {
    private static final int MESSAGES = 600;
    private static final int ENOUGH = 15;

    private KilledClient() {}

    /**
     * Checks that no message is lost and none is in two queues.
     *
     * @param url of an empty storage
     * @param steps the steps that the backend supports
     */
    public static void assertNothingLost(String url, Set<Step> steps) throws InterruptedException {
        List<String> pushed =
                IntStream.range(0, MESSAGES).mapToObj(i -> "m" + i).toList();
        Map<Step, Set<String>> done = new EnumMap<>(Step.class);
        Map<Step, Set<String>> begun = new EnumMap<>(Step.class);
        try (QueueFactory jono = BusyClient.connect(url)) {
            for (Step step : steps) {
                if (step != Step.PUSH) {
                    queue(jono, step.queue()).pushAll(pushed);
                }
            }
            try (ChildJvm child = BusyClient.start(url, steps)) {
                for (Step step : steps) {
                    child.await(step.name(), c -> c.lines("done " + step).size() >= ENOUGH);
                }
                child.kill();
                for (Step step : steps) {
                    done.put(step, new HashSet<>(child.lines("done " + step + ' ')));
                    begun.put(step, new HashSet<>(child.lines("begins " + step + ' ')));
                }
            }
            for (Step step : steps) {
                MessageQueue<String> queue = queue(jono, step.queue());
                Awaitility.await("the leases of " + step)
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> queue.counts().reserved() == 0);
                List<String> left = all(queue);
                List<String> moved =
                        step == Step.REJECT || step == Step.MOVE ? all(queue(jono, step.target())) : List.of();
                check(step, pushed, begun.getOrDefault(step, Set.of()), done.getOrDefault(step, Set.of()), left, moved);
            }
        }
    }

    private static void check(
            Step step,
            List<String> pushed,
            Set<String> begun,
            Set<String> done,
            List<String> left,
            List<String> moved) {
        List<String> found = new ArrayList<>(left);
        found.addAll(moved);
        assertThat(found).as("the messages of %s", step).doesNotHaveDuplicates();
        Set<String> missing = new HashSet<>(step == Step.PUSH ? done : pushed);
        found.forEach(missing::remove);
        switch (step) {
            case PUSH -> {
                assertThat(missing).as("acknowledged and lost").isEmpty();
                assertThat(begun).containsAll(found);
            }
            case POP -> {
                assertThat(left).doesNotContainAnyElementsOf(done);
                missing.removeAll(done);
                assertThat(missing).as("taken for the dead process").hasSizeLessThanOrEqualTo(1);
            }
            case ACK -> {
                assertThat(left).doesNotContainAnyElementsOf(done);
                assertThat(begun).as("acked, or being acked").containsAll(missing);
            }
            default -> {
                assertThat(missing).as("lost by %s", step).isEmpty();
                if (!moved.isEmpty()) {
                    assertThat(moved).containsAll(done);
                }
            }
        }
    }

    private static MessageQueue<String> queue(QueueFactory jono, String name) {
        return jono.queue(name, Codec.string());
    }

    private static List<String> all(MessageQueue<String> queue) throws InterruptedException {
        List<String> all = new ArrayList<>();
        List<Message<String>> some;
        do {
            some = queue.pop(500, Duration.ZERO);
            some.forEach(message -> all.add(message.payload()));
        } while (!some.isEmpty());
        assertThat(queue.totalSize()).isZero();
        return all;
    }
}
