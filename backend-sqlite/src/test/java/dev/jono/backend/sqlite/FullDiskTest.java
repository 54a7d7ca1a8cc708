package dev.jono.backend.sqlite;

import static dev.jono.backend.sqlite.Fixture.failure;
import static dev.jono.backend.sqlite.Fixture.got;
import static dev.jono.backend.sqlite.Fixture.inserting;
import static dev.jono.backend.sqlite.Fixture.open;
import static dev.jono.backend.sqlite.Fixture.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.StorageException;
import dev.jono.spi.Backend;
import dev.jono.spi.QueueStore;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk without a free byte: inserts fail, and stored messages can be taken, reserved and acknowledged. */
class FullDiskTest {
    /** Almost a page long, so that the disk is filled by messages. */
    private static final String TEXT = "x".repeat(3000);

    @TempDir
    Path directory;

    private TmpfsMount disk;
    private Path file;
    private Path filler;

    @BeforeEach
    void mount() throws Exception {
        Path at = Files.createDirectory(directory.toRealPath().resolve("disk"));
        disk = TmpfsMount.tmpfs(at, "size=24m");
        file = at.resolve("queues.db");
        filler = at.resolve("filler");
    }

    @AfterEach
    void unmount() throws Exception {
        if (disk != null) {
            disk.close();
        }
    }

    /** Inserts until the disk is full; returns the texts of the stored messages. */
    static List<String> pushUntilFull(QueueStore orders) {
        List<String> stored = new ArrayList<>();
        while (true) {
            int first = stored.size();
            String[] texts = new String[5];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = (first + i) + TEXT;
            }
            try {
                got(orders.insert(inserting(texts)));
            } catch (RuntimeException e) {
                assertThat(e).hasCauseInstanceOf(StorageException.class);
                return stored;
            }
            stored.addAll(List.of(texts));
        }
    }

    /** Fills the rest of the disk, as another program would. */
    private void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(filler)) {
            byte[] some = new byte[4096];
            while (true) {
                out.write(some);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    private static void assertRefused(QueueStore orders) {
        assertThat(failure(orders.insert(inserting(TEXT, TEXT))))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("is full, and nothing was done: free space");
    }

    /** Takes and claims messages in turn, in order, after a refused insert, until all are consumed. */
    private static void drain(QueueStore orders, List<String> stored) {
        List<String> seen = new ArrayList<>();
        assertRefused(orders);
        while (seen.size() < stored.size()) {
            List<StoredMessage> taken = Fixture.take(orders, 7).messages();
            seen.addAll(Fixture.texts(taken));
            List<StoredMessage> held = Fixture.claim(orders, 7);
            seen.addAll(Fixture.texts(held));
            assertThat(Fixture.ack(orders, Fixture.receipts(held))).allMatch(Outcome.DONE::equals);
            assertThat(taken.size() + held.size()).isPositive();
        }
        assertThat(seen).isEqualTo(stored);
        assertThat(Fixture.counts(orders).ready()).isZero();
        assertThat(Fixture.counts(orders).reserved()).isZero();
    }

    @Test
    void aDiskThatPushesFilledCanBeDrained() throws Exception {
        try (Backend backend = open(file)) {
            QueueStore orders = queue(backend, "orders");
            List<String> stored = pushUntilFull(orders);
            assertThat(stored).hasSizeGreaterThan(1000);
            fill();
            drain(orders, stored);
        }
    }

    @Test
    void aDiskThatAnotherProgramFilledCanBeDrainedAndWorksAgain() throws Exception {
        try (Backend backend = open(file)) {
            QueueStore orders = queue(backend, "orders");
            List<String> stored = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                stored.add(i + TEXT);
                Fixture.insert(orders, i + TEXT);
            }
            fill();
            stored.addAll(pushUntilFull(orders));
            drain(orders, stored);
            Files.delete(filler);
            Awaitility.await().ignoreExceptions().untilAsserted(() -> Fixture.insert(orders, "again"));
            assertThat(Fixture.texts(Fixture.take(orders, 10).messages())).containsExactly("again");
        }
    }

    @Test
    void aProcessThatStartsOnAFullDiskCanDrainIt() throws Exception {
        List<String> stored;
        try (Backend backend = open(file)) {
            stored = pushUntilFull(queue(backend, "orders"));
        }
        fill();
        try (Backend backend = open(file)) {
            drain(queue(backend, "orders"), stored);
        }
    }

    @Test
    void anotherProcessCanDrainAFullDisk() throws Exception {
        try (ChildProcess child = ChildProcess.start("push-until-full", file)) {
            int pushed = Integer.parseInt(child.line());
            fill();
            List<String> stored = new ArrayList<>();
            for (int i = 0; i < pushed; i++) {
                stored.add(i + TEXT);
            }
            try (Backend backend = open(file)) {
                drain(queue(backend, "orders"), stored);
            }
        }
    }
}
