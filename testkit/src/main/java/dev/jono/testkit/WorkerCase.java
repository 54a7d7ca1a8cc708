package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Worker;
import dev.jono.WorkerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The base of the tests of workers. Stops the workers after each test. */
abstract class WorkerCase extends ContractCase {
    private final List<Worker> workers = new ArrayList<>();
    final ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();

    WorkerCase(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsReserve() {
        requires(Capability.RESERVE);
    }

    @AfterEach
    void stopWorkers() {
        workers.forEach(w -> assertThat(w.stop(Duration.ofSeconds(20))).isTrue());
    }

    final Worker start(WorkerBuilder builder) {
        Worker worker = builder.start();
        workers.add(worker);
        return worker;
    }

    static List<String> numbered(int count) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
    }
}
