package dev.jono.benchmarks.compare;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.MessageProperties;
import dev.jono.benchmarks.QueueClient.Step;
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
import java.util.stream.IntStream;

/**
 * Drives a durable queue of RabbitMQ with persistent messages, publisher confirms and manual acks; the setting {@code
 * type} selects the type of queue, by default {@code classic}. At its best: 1,000 unconfirmed messages, a prefetch of
 * 1,000, and one ack for up to 100 received messages.
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
    private final Map<String, Object> type;
    private List<String> queues = List.of();

    RabbitDriver(Map<String, String> settings) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(Drivers.need(settings, "url"));
        this.connection = factory.newConnection();
        this.publisher = connection.createChannel();
        this.queue = Drivers.need(settings, "queue");
        this.type = Map.of("x-queue-type", settings.getOrDefault("type", "classic"));
        publisher.queueDeclare(queue, true, false, false, type);
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
        setWindow(width == BEST ? WINDOW : width);
        for (int i = 0; i < payloads.count(); i++) {
            send(payloads.text(i));
        }
        flush();
    }

    /** Sets the limit of unconfirmed messages; called only while there is none. */
    private void setWindow(int size) {
        if (size != windowSize) {
            window = new Semaphore(size);
            windowSize = size;
        }
    }

    @Override
    public void send(String text) throws Exception {
        send(queue, text);
    }

    private void send(String to, String text) throws Exception {
        window.acquire();
        unconfirmed.add(publisher.getNextPublishSeqNo());
        AMQP.BasicProperties persistent = MessageProperties.PERSISTENT_TEXT_PLAIN;
        publisher.basicPublish("", to, persistent, text.getBytes(StandardCharsets.UTF_8));
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
    public void openQueues(int count) throws Exception {
        queues = IntStream.range(0, count).mapToObj(i -> queue + "-" + i).toList();
        for (String each : queues) {
            publisher.queueDeclare(each, true, false, false, type);
        }
    }

    @Override
    public void pushToQueues(Payloads payloads, int width) throws Exception {
        setWindow(width);
        for (int i = 0; i < payloads.count(); i++) {
            send(queues.get(i % queues.size()), payloads.text(i));
        }
        flush();
    }

    @Override
    public void takeFromQueues(Step step, TakeProgress progress, int width) throws Exception {
        take(queues, step, progress, Math.max(1, width / queues.size()), ACKED_AT_ONCE);
    }

    @Override
    public void take(Step step, TakeProgress progress, int width) throws Exception {
        int prefetch = width == BEST ? WINDOW : width;
        int ackBatch = width == BEST ? ACKED_AT_ONCE : Math.max(1, Math.min(ACKED_AT_ONCE, width / 4));
        take(List.of(queue), step, progress, prefetch, ackBatch);
    }

    /** Takes over one channel, with a consumer per queue that has at most {@code prefetch} unacked messages. */
    private void take(List<String> from, Step step, TakeProgress progress, int prefetch, int ackBatch)
            throws Exception {
        BlockingQueue<Delivery> received = new ArrayBlockingQueue<>(10 * WINDOW);
        try (Channel channel = connection.createChannel()) {
            channel.basicQos(prefetch);
            boolean auto = step == Step.POP;
            List<String> tags = new ArrayList<>();
            for (String each : from) {
                tags.add(channel.basicConsume(
                        each,
                        auto,
                        (consumer, delivery) -> {
                            try {
                                received.put(delivery);
                            } catch (InterruptedException ended) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        consumer -> {}));
            }
            List<Delivery> some = new ArrayList<>();
            while (progress.isOpen()) {
                Delivery one = received.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
                if (one == null) {
                    continue;
                }
                some.add(one);
                received.drainTo(some, ackBatch - 1);
                for (Delivery each : some) {
                    progress.arrived(new String(each.getBody(), StandardCharsets.UTF_8));
                }
                if (!auto) {
                    long last = some.get(some.size() - 1).getEnvelope().getDeliveryTag();
                    channel.basicAck(last, some.size() > 1);
                }
                progress.settled(some.size());
                some.clear();
            }
            for (String tag : tags) {
                channel.basicCancel(tag);
            }
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
