package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobState;
import dev.jono.jobs.Jobs;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Competing processes that enqueue and run jobs which take the payloads of their duplicates. */
abstract class JobLatestRaceRules extends JobLatestCase {
    private static final int ENQUEUERS = 3;
    private static final int ENQUEUES = 40;
    private static final List<String> KEYS = List.of("a", "b");

    /** Orders the begins and ends of all enqueues. */
    private final AtomicLong clock = new AtomicLong();

    private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    private final AtomicInteger together = new AtomicInteger();

    /** An enqueue, with the times at which it began and was answered. */
    private record Enqueued(String text, JobHandle<String> job, long began, long answered) {}

    private final JobHandler<String, String> handler = (text, run) -> {
        AtomicInteger ofKey = running.computeIfAbsent(text.substring(0, 1), key -> new AtomicInteger());
        if (ofKey.incrementAndGet() > 1) {
            together.incrementAndGet();
        }
        shout(text);
        ofKey.decrementAndGet();
        return text;
    };

    JobLatestRaceRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private List<Enqueued> enqueueAll(Jobs client, int enqueuer) {
        List<Enqueued> all = new ArrayList<>();
        for (int i = 0; i < ENQUEUES; i++) {
            String text = KEYS.get(i % KEYS.size()) + enqueuer + '-' + i;
            long began = clock.incrementAndGet();
            JobHandle<String> job = client.enqueue(LATEST, text);
            all.add(new Enqueued(text, job, began, clock.incrementAndGet()));
        }
        return all;
    }

    @Test
    void lastRunOfAKeyHasThePayloadThatWasEnqueuedLast() {
        for (int i = 0; i < 2; i++) {
            start(jobs(client()).runner().concurrency(4).handle(LATEST, handler));
        }
        List<CompletableFuture<List<Enqueued>>> calls = new ArrayList<>();
        for (int i = 0; i < ENQUEUERS; i++) {
            Jobs client = jobs(client());
            int enqueuer = i;
            calls.add(inBackground(() -> enqueueAll(client, enqueuer)));
        }
        List<Enqueued> all = new CopyOnWriteArrayList<>();
        calls.forEach(call -> all.addAll(passUntilDone("the enqueues", call)));
        Set<String> ids = new HashSet<>();
        all.forEach(each -> {
            passUntil(each.job, JobState.SUCCEEDED);
            ids.add(each.job.id());
        });
        assertThat(begun).as("runs").hasSameSizeAs(ids);
        assertThat(all.stream().filter(each -> !each.job.duplicate())).hasSameSizeAs(ids);
        assertThat(together).as("runs of one key at the same time").hasValue(0);
        for (String key : KEYS) {
            List<String> runs =
                    begun.stream().filter(text -> text.startsWith(key)).toList();
            Enqueued last = all.stream()
                    .filter(each -> each.text.equals(runs.get(runs.size() - 1)))
                    .findFirst()
                    .orElseThrow();
            assertThat(all.stream().filter(each -> each.text.startsWith(key) && each.began > last.answered))
                    .as("enqueues after that of the last run's payload, " + last.text)
                    .isEmpty();
        }
        passUntil("the acks", () -> keyed().totalSize() == 0);
        passUntil("no payload to be left", () -> kept().isEmpty());
    }
}
