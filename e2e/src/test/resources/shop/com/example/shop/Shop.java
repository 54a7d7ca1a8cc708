package com.example.shop;

import dev.jono.Capability;
import dev.jono.JonoClock;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** An application: one process produces, another one consumes. */
final class Shop {
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Without polling: what the consumer waits for, a signal must tell. */
    private static final QueueOptions OPTIONS =
            QueueOptions.builder().pollInterval(Duration.ofHours(1)).build();

    record Order(int id, String item) {}

    /** The last order. */
    private static final Order CLOSED = new Order(0, "closed");

    private final QueueFactory jono;
    private final MessageQueue<Order> orders;

    private Shop(QueueFactory jono) {
        this.jono = jono;
        this.orders = jono.queue("orders", Order.class, OPTIONS);
    }

    /** {@code produce}, {@code consume} or, for queues within one process, {@code both}; and the URL of the queues. */
    public static void main(String[] args) throws Exception {
        Thread consumer = new Thread(() -> as("consume", args[1]));
        if (args[0].equals("both")) {
            consumer.start();
        }
        as(args[0].equals("both") ? "produce" : args[0], args[1]);
        consumer.join();
    }

    private static void as(String role, String url) {
        try (QueueFactory jono = QueueFactory.connect(url)) {
            Shop shop = new Shop(jono);
            if (role.equals("consume")) {
                shop.consume();
            } else {
                shop.produce();
            }
            System.out.println(role + ": done");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void consume() throws InterruptedException {
        for (int next = 1; ; next++) {
            Order order = orders.pop(LONG).map(Message::payload).orElseThrow();
            if (order.equals(CLOSED)) {
                return;
            }
            expect(order.equals(new Order(next, "skates")), "orders come as they were pushed, one by one");
            System.out.println("taken: " + order);
        }
    }

    private void produce() throws InterruptedException {
        for (int id = 1; id <= 5; id++) {
            orders.push(new Order(id, "skates"));
            awaitTaken();
        }
        orders.pause();
        expect(orders.isPaused(), "a paused queue says so");
        orders.push(new Order(6, "skates"));
        orders.resume();
        awaitTaken();
        if (orders.capabilities().contains(Capability.RESERVE)) {
            reserve(jono.queue("returns", Order.class, OPTIONS));
        }
        if (orders.capabilities().contains(Capability.SCHEDULE)) {
            schedule(jono.queue("later", Order.class, OPTIONS));
        }
        orders.push(CLOSED);
        awaitTaken();
        await("the consumer's counters", () -> orders.stats().popped() > 0);
    }

    /** Waits until the consumer, which may be another process, has all there is. */
    private void awaitTaken() {
        await("the consumer to take all", () -> orders.counts().total() == 0);
        System.out.println("all is taken");
    }

    /** Looks again and again until something holds; the module has no library for that. */
    private static void await(String what, BooleanSupplier holds) {
        JonoClock clock = JonoClock.system();
        long end = clock.nanos() + LONG.toNanos();
        while (!holds.getAsBoolean()) {
            expect(clock.nanos() - end < 0, "waited for " + what);
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static void reserve(MessageQueue<Order> queue) throws InterruptedException {
        queue.push(new Order(100, "sticks"));
        Reservation<Order> first = queue.reserve(LONG).orElseThrow();
        expect(queue.counts().reserved() > 0, "what is reserved is counted");
        first.retry(Duration.ZERO);
        Reservation<Order> second = queue.reserve(LONG).orElseThrow();
        expect(second.tries() == 1, "a retry counts");
        second.ack();
        expect(queue.counts().total() == 0, "what is acked is gone");
    }

    private static void schedule(MessageQueue<Order> queue) throws InterruptedException {
        queue.push(new Order(200, "pucks"), PushOptions.delay(Duration.ofHours(1)));
        Optional<Message<Order>> early = queue.pop(Duration.ZERO);
        expect(early.isEmpty() && queue.counts().scheduled() == 1, "an order for later waits");
        queue.push(new Order(201, "pucks"), PushOptions.delay(Duration.ofMillis(500)));
        expect(queue.pop(LONG).orElseThrow().payload().id() == 201, "an order comes when it is due");
    }

    private static void expect(boolean held, String what) {
        if (!held) {
            throw new IllegalStateException("not true: " + what);
        }
    }
}
