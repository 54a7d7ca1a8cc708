package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobNumbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Numbers of jobs, which all processes share. */
abstract class JobNumberRules extends JobCase {
    JobNumberRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private List<String> enqueue(int count) {
        return jobs()
                .enqueueAll(
                        SHOUT,
                        IntStream.range(0, count).mapToObj(String::valueOf).toList(),
                        o -> o)
                .stream()
                .map(JobHandle::id)
                .toList();
    }

    @Test
    void jobKeepsItsNumberInAllProcesses() {
        List<String> ids = enqueue(3);
        JobNumbers here = jobs().numbers();
        assertThat(here.of(ids.subList(0, 2))).isEqualTo(Map.of(ids.get(0), 1L, ids.get(1), 2L));
        JobNumbers there = jobs(client()).numbers();
        assertThat(there.of(ids)).containsEntry(ids.get(1), 2L).containsEntry(ids.get(2), 3L);
        assertThat(here.of(List.of(ids.get(2), ids.get(2)))).isEqualTo(Map.of(ids.get(2), 3L));
        assertThat(here.job(3)).hasValue(ids.get(2));
        assertThat(there.job(1)).hasValue(ids.get(0));
        assertThat(there.job(4)).isEmpty();
        assertThat(there.job(0)).isEmpty();
        assertThat(there.job(-1)).isEmpty();
        assertThat(here.of(List.of())).isEmpty();
    }

    /** Several processes number the same jobs at the same time: they agree, and no number is that of two jobs. */
    @Test
    void processesAgreeOnNumbers() {
        List<String> ids = enqueue(40);
        List<JobNumbers> processes = List.of(
                jobs(client()).numbers(),
                jobs(client()).numbers(),
                jobs(client()).numbers());
        List<CompletableFuture<Map<String, Long>>> calls = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            JobNumbers process = processes.get(i % processes.size());
            List<String> some = ids.subList(3 * i, 3 * i + 7 > ids.size() ? ids.size() : 3 * i + 7);
            calls.add(inBackground(() -> process.of(some)));
        }
        Map<String, Long> all = jobs().numbers().of(ids);
        calls.forEach(call -> assertThat(all).containsAllEntriesOf(passUntilDone("the numbers", call)));
        assertThat(all.values()).doesNotHaveDuplicates().hasSize(ids.size());
        all.forEach((id, number) -> assertThat(jobs().numbers().job(number)).hasValue(id));
    }

    /** Numbers of removed jobs are deleted when others get theirs, and are not given again. */
    @Test
    void numbersOfJobsThatAreGoneAreForgotten() {
        assumeTrue(storage().clock().isPresent(), "an hour must pass, and this storage has a clock of its own");
        List<String> old = enqueue(3);
        jobs().numbers().of(old);
        jobs().remove(old.get(0));
        jobs().remove(old.get(2));
        assertThat(jobs().numbers().job(1)).as("soon").hasValue(old.get(0));
        pass(Duration.ofHours(2));
        jobs().numbers().of(enqueue(2));
        assertThat(LongStream.rangeClosed(1, 6)
                        .filter(number -> jobs().numbers().job(number).isPresent()))
                .containsExactly(2L, 4L, 5L);
    }
}
