package dev.jono.examples.farm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.Backoff;
import dev.jono.jobs.JobRunner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FarmTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final Map<String, List<String>> handled = new ConcurrentHashMap<>();
    private final List<Farm> opened = new ArrayList<>();

    @AfterEach
    void end() {
        opened.forEach(Farm::close);
    }

    private Farm farm() {
        // A drain does not wait for a retry that is due later.
        Farm farm = new Farm("sqlite:" + directory.resolve("farm.db"), Backoff.fixed(Duration.ZERO));
        opened.add(0, farm);
        return farm;
    }

    private void record(String queue, List<String> data) {
        handled.computeIfAbsent(queue, name -> new CopyOnWriteArrayList<>()).addAll(data);
    }

    @Test
    void tasksOfAQueueAreHandledInTheirOrderByAllProcesses() throws Exception {
        Farm farm = farm();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            expected.add("task" + i);
            for (String queue : List.of("apples", "pears", "plums")) {
                farm.push(queue, "task" + i);
            }
        }
        AtomicInteger failures = new AtomicInteger();
        TaskHandler handler = (queue, data) -> {
            if (queue.equals("pears") && data.contains("task7") && failures.incrementAndGet() == 1) {
                throw new IllegalStateException("the basket is full");
            }
            record(queue, data);
        };
        JobRunner other = farm().listen(2, 4, handler);
        assertThat(farm.drain(2, 4, handler, SOON)).isTrue();
        assertThat(other.status().running()).isZero();
        assertThat(handled).containsOnlyKeys("apples", "pears", "plums");
        assertThat(handled.values()).allSatisfy(tasks -> assertThat(tasks).containsExactlyElementsOf(expected));
        assertThat(failures).hasPositiveValue();
    }

    @Test
    void deletedTaskIsNotHandled() throws Exception {
        Farm farm = farm();
        farm.push("apples", "first");
        String deleted = farm.push("apples", "second");
        farm.push("apples", "third");
        assertThat(farm.delete(deleted)).isTrue();
        assertThat(farm.delete(deleted)).isFalse();
        assertThat(farm.drain(1, 10, this::record, SOON)).isTrue();
        assertThat(handled.get("apples")).containsExactly("first", "third");
    }

    @Test
    void taskIsDroppedAfterThreeAttempts() throws Exception {
        Farm farm = farm();
        farm.push("apples", "hopeless");
        farm.push("apples", "next");
        AtomicInteger attempts = new AtomicInteger();
        farm.listen(1, 1, (queue, data) -> {
            if (data.contains("hopeless")) {
                attempts.incrementAndGet();
                throw new IllegalStateException("no such apple");
            }
            record(queue, data);
        });
        await().atMost(SOON).until(() -> handled.containsKey("apples"));
        assertThat(attempts).hasValue(3);
        assertThat(handled.get("apples")).containsExactly("next");
    }

    @Test
    void commandPushesAndDrains() throws Exception {
        String storage = "sqlite:" + directory.resolve("farm.db");
        Farm.main(new String[] {storage, "push", "apples", "pick"});
        Farm.main(new String[] {storage, "drain"});
        CountDownLatch any = new CountDownLatch(1);
        assertThat(farm().drain(1, 1, (queue, data) -> any.countDown(), SOON)).isTrue();
        assertThat(any.getCount()).as("it was handled").isEqualTo(1);
        assertThatThrownBy(() -> Farm.main(new String[] {storage, "sow"})).hasMessageContaining("expected");
    }
}
