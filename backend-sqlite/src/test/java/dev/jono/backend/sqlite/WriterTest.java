package dev.jono.backend.sqlite;

import static dev.jono.backend.sqlite.Fixture.ack;
import static dev.jono.backend.sqlite.Fixture.claim;
import static dev.jono.backend.sqlite.Fixture.got;
import static dev.jono.backend.sqlite.Fixture.insert;
import static dev.jono.backend.sqlite.Fixture.open;
import static dev.jono.backend.sqlite.Fixture.queue;
import static dev.jono.backend.sqlite.Fixture.receipts;
import static dev.jono.backend.sqlite.Fixture.take;
import static dev.jono.backend.sqlite.Fixture.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.JonoClock;
import dev.jono.StorageException;
import dev.jono.spi.Backend;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that share a transaction, and factories that share a file. */
class WriterTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() throws Exception {
        file = directory.toRealPath().resolve("queues.db");
    }

    /** Keeps the writer busy until the latch is opened, so that commands submitted meanwhile share a transaction. */
    private static CompletionStage<Void> hold(Backend backend, CountDownLatch latch) {
        return Fixture.file(backend).write(0, Command.work(tx -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    @Test
    void aFailedCommandDoesNotFailTheOthers() {
        try (Backend backend = open(file)) {
            QueueStore orders = queue(backend, "orders");
            CountDownLatch latch = new CountDownLatch(1);
            CompletionStage<Void> held = hold(backend, latch);
            CompletionStage<InsertResult> before = orders.insert(Fixture.inserting("before"));
            CompletionStage<Void> sqlFails = Fixture.file(backend)
                    .write(1, Command.work(tx -> tx.connection().executeOnce("INSERT INTO message(id) VALUES(7)")));
            CompletionStage<InsertResult> between = orders.insert(Fixture.inserting("between"));
            CompletionStage<Void> codeFails = Fixture.file(backend).write(1, Command.work(tx -> {
                tx.connection().executeOnce("DELETE FROM message");
                throw new IllegalStateException("a bug");
            }));
            CompletionStage<InsertResult> after = orders.insert(Fixture.inserting("after"));
            latch.countDown();
            got(held);
            got(before);
            got(between);
            got(after);
            assertThat(Fixture.failure(sqlFails)).isInstanceOf(StorageException.class);
            assertThat(Fixture.failure(codeFails)).isInstanceOf(IllegalStateException.class);
            assertThat(texts(take(orders, 10).messages())).containsExactly("before", "between", "after");
        }
    }

    @Test
    void oneStaleReceiptAmongManyIsReported() {
        try (Backend backend = open(file)) {
            QueueStore orders = queue(backend, "orders");
            insert(orders, IntStream.range(0, 50).mapToObj(i -> "m" + i).toArray(String[]::new));
            List<Receipt> receipts = new ArrayList<>(receipts(claim(orders, 50)));
            assertThat(ack(orders, receipts.subList(10, 11))).containsExactly(Outcome.DONE);
            receipts.set(20, Receipt.of(receipts.get(20).id(), "zz"));
            receipts.set(30, Receipt.of("no-such-id", "token of another storage"));
            List<Outcome> outcomes = ack(orders, receipts);
            for (int i = 0; i < 50; i++) {
                Outcome expected = i == 10 || i == 30 ? Outcome.GONE : i == 20 ? Outcome.STALE : Outcome.DONE;
                assertThat(outcomes.get(i)).as("receipt %d", i).isEqualTo(expected);
            }
            assertThat(Fixture.counts(orders).reserved()).isEqualTo(2);
        }
    }

    @Test
    void factoriesOfOneProcessShareAFileUntilTheLastIsClosed() {
        Backend first = open(file);
        Backend second = open(directory.resolve("../" + directory.getFileName() + "/queues.db"));
        assertThat(Fixture.file(second)).isSameAs(Fixture.file(first));
        insert(queue(first, "orders"), "a");
        first.close();
        first.close();
        assertThat(texts(take(queue(second, "orders"), 1).messages())).containsExactly("a");
        second.close();
        assertThat(Fixture.failure(queue(second, "orders").insert(Fixture.inserting("late"))))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("closed");
        assertThat(Fixture.failure(second.queues())).isInstanceOf(StorageException.class);
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(t -> t.getName().startsWith("jono-sqlite")));
    }

    @Test
    void aFileCanBeClosedAndOpenedAgainAtOnce() {
        for (int i = 0; i < 10; i++) {
            try (Backend backend = open(file)) {
                insert(queue(backend, "orders"), "m" + i);
            }
        }
        try (Backend backend = open(file)) {
            Fixture.assertReady(queue(backend, "orders"), 10);
        }
    }

    /** As a second copy of these classes in another class loader would. */
    @Test
    void aSecondTurnInOneProcessIsRefused() {
        try (Backend backend = open(file)) {
            assertThat(backend.traits().repeatable()).isFalse();
            try (WriteTurn second = new WriteTurn(file, JonoClock.system(), 1000)) {
                assertThatThrownBy(second::acquire)
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("class loader");
            }
        }
    }

    @Test
    void idsAreNeverAssignedTwice() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            try (Backend backend = open(file)) {
                ids.addAll(insert(queue(backend, "orders"), "m"));
                take(queue(backend, "orders"), 1);
            }
        }
        assertThat(ids).doesNotHaveDuplicates();
    }

    @Test
    void aForeignIdIsKeptEvenIfItLooksLikeARowId() {
        try (Backend backend = open(file)) {
            QueueStore orders = queue(backend, "orders");
            String own = insert(orders, "own").get(0);
            for (String id : new String[] {"65a1b2c3d4e5f60718293a4b", "9007199254740993123", "0017", "7"}) {
                var stored = got(orders.insert(InsertRequest.builder()
                        .messages(List.of(NewMessage.builder()
                                .id(id)
                                .payload(Fixture.message(id).payload())
                                .build()))
                        .token("t")
                        .build()));
                assertThat(stored.items().get(0).id()).isEqualTo(id);
            }
            List<String> ids = claim(orders, 10).stream().map(m -> m.id()).toList();
            assertThat(ids).contains(own, "65a1b2c3d4e5f60718293a4b", "9007199254740993123", "0017", "7");
            assertThat(insert(orders, "next").get(0)).as("own ids continue").isGreaterThan(own);
        }
    }
}
