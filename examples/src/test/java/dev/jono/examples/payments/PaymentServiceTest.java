package dev.jono.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.Backoff;
import dev.jono.QueueCounts;
import dev.jono.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PaymentServiceTest {
    private static final List<String> ACCOUNTS = List.of("ann", "ben", "cat");
    private static final List<String> IN_ORDER = List.of("1", "2", "3", "4", "5");

    @TempDir
    Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Map<String, List<String>> booked = new ConcurrentHashMap<>();
    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private String storage() {
        return "sqlite:" + directory.resolve("payments.db");
    }

    private PaymentService service() {
        PaymentService service = new PaymentService(storage(), Backoff.fixed(Duration.ofMillis(50)));
        opened.add(0, service);
        return service;
    }

    /** Starts a service that books payments, which acts like another process. */
    private PaymentService booking(Ledger ledger) {
        PaymentService service = service();
        Worker worker = service.start(4, ledger);
        opened.add(0, () -> worker.stop(Duration.ofSeconds(5)));
        return service;
    }

    private void book(Payment payment) {
        if (failing.contains(payment.account())) {
            throw new IllegalStateException("account " + payment.account() + " is locked");
        }
        booked.computeIfAbsent(payment.account(), account -> new CopyOnWriteArrayList<>())
                .add(Long.toString(payment.cents()));
    }

    /** Submits payments of 1 to 5 cents to each account, interleaved. */
    private static void submitAll(PaymentService service) {
        for (String cents : IN_ORDER) {
            for (String account : ACCOUNTS) {
                assertThat(service.submit(new Payment(account + cents, account, Long.parseLong(cents))))
                        .isTrue();
            }
        }
    }

    private boolean isBooked(String account) {
        return booked.getOrDefault(account, List.of()).size() >= IN_ORDER.size();
    }

    @Test
    void failingAccountBlocksOnlyItself() {
        failing.add("ben");
        PaymentService service = booking(this::book);
        booking(this::book);
        submitAll(service);
        await().until(() -> isBooked("ann") && isBooked("cat"));
        await().until(() -> service.counts().total() == IN_ORDER.size());
        QueueCounts waiting = service.counts();
        assertThat(waiting.blocked()).as("those after the first of ben").isEqualTo(IN_ORDER.size() - 1);
        assertThat(booked).containsOnlyKeys("ann", "cat");
        failing.clear();
        await().until(() -> service.counts().total() == 0);
        for (String account : ACCOUNTS) {
            assertThat(booked.get(account)).as(account).isEqualTo(IN_ORDER);
        }
    }

    /** Each booking waits for one of each account: none would end if accounts waited for each other. */
    @Test
    void accountsAreBookedAtTheSameTime() {
        CyclicBarrier oneOfEach = new CyclicBarrier(ACCOUNTS.size());
        PaymentService service = service();
        submitAll(service);
        booking(payment -> {
            oneOfEach.await(20, TimeUnit.SECONDS);
            book(payment);
        });
        await().until(() -> service.counts().total() == 0);
        for (String account : ACCOUNTS) {
            assertThat(booked.get(account)).as(account).isEqualTo(IN_ORDER);
        }
    }

    @Test
    void paymentThatIsSubmittedTwiceIsBookedOnce() {
        PaymentService service = booking(this::book);
        assertThat(service.submit(new Payment("p1", "ann", 1))).isTrue();
        await().until(() -> service.counts().total() == 0);
        assertThat(service().submit(new Payment("p1", "ann", 1))).isFalse();
        assertThat(service.submit(new Payment("p2", "ann", 2))).isTrue();
        await().until(() -> service.counts().total() == 0);
        assertThat(booked.get("ann")).containsExactly("1", "2");
    }

    @Test
    void commandSubmitsAPayment() throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            PaymentService.main(new String[] {storage(), "pay", "p1", "ann", "-250"});
        }
        booking(this::book);
        await().until(() -> booked.containsKey("ann"));
        assertThat(booked.get("ann")).containsExactly("-250");
        assertThatThrownBy(() -> PaymentService.main(new String[] {storage(), "pay"}))
                .hasMessageContaining("expected");
    }
}
