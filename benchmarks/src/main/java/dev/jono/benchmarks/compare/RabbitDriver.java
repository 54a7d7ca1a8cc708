package dev.jono.benchmarks.compare;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.MessageProperties;
import dev.jono.benchmarks.Contender.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * RabbitMQ's durable classic queue with persistent messages, publisher confirms and manual acks. At its best: 1,000 unconfirmed,
 * a prefetch of 1,000, and one ack for up to 100 that lie there.
 */
final class RabbitDriver implements Driver {
    private static final int WINDOW = 1000;
    private static final int ACKED_AT_ONCE = 100;

    private final Connection connection;
    private final Channel publisher;
    private final String queue;
    private final ConcurrentSkipListSet<Long> unconfirmed = new ConcurrentSkipListSet<>();
    private final AtomicBoolean refused = new AtomicBoolean();
    private volatile Semaphore window = new Semaphore(WINDOW);
    private int windowSize = WINDOW;

    RabbitDriver(Map<String, String> settings) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(Drivers.need(settings, "url"));
        this.connection = factory.newConnection();
        this.publisher = connection.createChannel();
        this.queue = Drivers.need(settings, "queue");
        publisher.queueDeclare(queue, true, false, false, null);
        publisher.confirmSelect();
        publisher.addConfirmListener((tag, multiple) -> confirm(tag, multiple), (tag, multiple) -> {
            refused.set(true);
            confirm(tag, multiple);
        });
    }

    private void confirm(long tag, boolean multiple) {
        int more = 0;
        if (multiple) {
            NavigableSet<Long> upTo = unconfirmed.headSet(tag, true);
            more = upTo.size();
            upTo.clear();
        } else if (unconfirmed.remove(tag)) {
            more = 1;
        }
        window.release(more);
    }

    @Override
    public void push(Payloads payloads, int width) throws Exception {
        open(width == BEST ? WINDOW : width);
        for (int i = 0; i < payloads.count(); i++) {
            send(payloads.text(i));
        }
        flush();
    }

    /** Only where nothing is unconfirmed. */
    private void open(int size) {
        if (size != windowSize) {
            window = new Semaphore(size);
            windowSize = size;
        }
    }

    @Override
    public void send(String text) throws Exception {
        window.acquire();
        unconfirmed.add(publisher.getNextPublishSeqNo());
        AMQP.BasicProperties persistent = MessageProperties.PERSISTENT_TEXT_PLAIN;
        publisher.basicPublish("", queue, persistent, text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void flush() throws Exception {
        window.acquire(windowSize);
        window.release(windowSize);
        if (refused.get()) {
            throw new IOException("the broker refused a message");
        }
    }

    @Override
    public void take(Step step, Intake intake, int width) throws Exception {
        int prefetch = width == BEST ? WINDOW : width;
        int together = width == BEST ? ACKED_AT_ONCE : Math.max(1, Math.min(ACKED_AT_ONCE, width / 4));
        BlockingQueue<Delivery> come = new ArrayBlockingQueue<>(10 * WINDOW);
        try (Channel channel = connection.createChannel()) {
            channel.basicQos(prefetch);
            boolean auto = step == Step.POP;
            String tag = channel.basicConsume(
                    queue,
                    auto,
                    (consumer, delivery) -> {
                        try {
                            come.put(delivery);
                        } catch (InterruptedException ended) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    consumer -> {});
            List<Delivery> some = new ArrayList<>();
            while (intake.open()) {
                Delivery one = come.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
                if (one == null) {
                    continue;
                }
                some.add(one);
                come.drainTo(some, together - 1);
                for (Delivery each : some) {
                    intake.arrived(new String(each.getBody(), StandardCharsets.UTF_8));
                }
                if (!auto) {
                    long last = some.get(some.size() - 1).getEnvelope().getDeliveryTag();
                    channel.basicAck(last, some.size() > 1);
                }
                intake.settled(some.size());
                some.clear();
            }
            channel.basicCancel(tag);
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
