package dev.jono.backend.sqlite;

import static dev.jono.backend.sqlite.Fixture.got;
import static dev.jono.backend.sqlite.Fixture.insert;
import static dev.jono.backend.sqlite.Fixture.open;
import static dev.jono.backend.sqlite.Fixture.queue;
import static dev.jono.backend.sqlite.Fixture.take;
import static dev.jono.backend.sqlite.Fixture.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.JonoClock;
import dev.jono.StorageException;
import dev.jono.spi.Backend;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() throws Exception {
        file = directory.toRealPath().resolve("queues.db");
    }

    @Test
    void concurrentProcessesGetEqualShares() throws Exception {
        List<ChildProcess> children = new ArrayList<>();
        List<Integer> pushed = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                children.add(ChildProcess.start("push", file));
            }
            for (ChildProcess child : children) {
                child.go();
            }
            for (ChildProcess child : children) {
                pushed.add(Integer.parseInt(child.line()));
            }
        } finally {
            children.forEach(ChildProcess::close);
        }
        int sum = pushed.stream().mapToInt(Integer::intValue).sum();
        assertThat(pushed).allSatisfy(count -> assertThat(count).isGreaterThan(sum / 10));
        try (Backend backend = open(file)) {
            Fixture.assertReady(queue(backend, "orders"), sum + 3 * 50);
        }
    }

    @Test
    void signalsWakeBothProcesses() throws Exception {
        try (Backend backend = open(file);
                Signaller signaller =
                        new SqliteSignallerProvider().open(Fixture.config("sqlite:" + file, JonoClock.system()))) {
            Semaphore signals = new Semaphore(0);
            Semaphore gaps = new Semaphore(0);
            Signaller.Subscription listening = signaller.subscribe("pong", listener(signals, gaps));
            QueueStore ping = queue(backend, "ping");
            QueueStore pong = queue(backend, "pong");
            assertThat(gaps.tryAcquire(10, TimeUnit.SECONDS))
                    .as("the watcher is at work")
                    .isTrue();
            try (ChildProcess child = ChildProcess.start("echo", file)) {
                for (int i = 0; i < 50; i++) {
                    insert(ping, "m" + i);
                    assertThat(signals.tryAcquire(10, TimeUnit.SECONDS))
                            .as("signal %d", i)
                            .isTrue();
                    assertThat(texts(take(pong, 10).messages())).containsExactly("m" + i);
                }
                insert(ping, "stop");
                assertThat(child.line()).as("it ended").isEmpty();
            }
            listening.close();
        }
    }

    private static Signaller.Listener listener(Semaphore signals, Semaphore gaps) {
        return new Signaller.Listener() {
            @Override
            public void onSignal(Signal signal) {
                signals.release();
            }

            @Override
            public void onGap() {
                gaps.release();
            }
        };
    }

    @Test
    void aKilledProcessRollsBackAndReleasesTheTurn() throws Exception {
        try (Backend backend = open(file)) {
            QueueStore orders = queue(backend, "orders");
            insert(orders, "kept");
            ChildProcess child = ChildProcess.start("transaction", file);
            var waiting = orders.insert(Fixture.inserting("after"));
            child.kill();
            got(waiting);
            assertThat(texts(take(orders, 5000).messages())).containsExactly("kept", "after");
        }
        assertThat(Fixture.ask(file, "PRAGMA integrity_check")).isEqualTo("ok");
    }

    @Test
    void aLockHeldTooLongFailsTheCallAndLaterCallsWork() throws Exception {
        try (Backend backend = open(file, "?jono.busy=300ms")) {
            QueueStore orders = queue(backend, "orders");
            insert(orders, "kept");
            try (ChildProcess child = ChildProcess.start("exclusive", file)) {
                assertThat(Fixture.failure(orders.insert(Fixture.inserting("refused"))))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining(file.toString())
                        .hasMessageContaining("jono.busy");
                // Reads are not blocked.
                Fixture.assertReady(orders, 1);
                var waiting = orders.insert(Fixture.inserting("waits"));
                child.go();
                got(waiting);
            }
            assertThat(texts(take(orders, 10).messages())).containsExactly("kept", "waits");
        }
    }

    @Test
    void aTurnHeldTooLongFailsTheCallAndEndsWithItsHolder() throws Exception {
        try (Backend backend = open(file, "?jono.busy=300ms")) {
            QueueStore orders = queue(backend, "orders");
            try (ChildProcess child = ChildProcess.start("turn", file)) {
                assertThat(Fixture.failure(orders.insert(Fixture.inserting("refused"))))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining("turn")
                        .hasMessageContaining("jono.busy");
                child.kill();
            }
            Awaitility.await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> insert(orders, "works"));
        }
    }

    @Test
    void openingALockedFileFails() throws Exception {
        open(file).close();
        try (ChildProcess child = ChildProcess.start("exclusive", file)) {
            assertThatThrownBy(() -> open(file, "?jono.busy=200ms"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("jono.busy");
            child.go();
        }
        open(file).close();
    }
}
