package dev.jono.e2e.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.StorageException;
import dev.jono.e2e.faults.SmallDisk;
import dev.jono.testkit.server.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server whose data has no room left. It refuses what needs a new page, and executes the rest. When it has more room, all
 * acknowledged messages are there.
 */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullDiskTest {
    private static final String NAME = "name";
    private static final Duration SOON = Duration.ofSeconds(20);

    private final Random random = new Random(1);
    private final List<String> acknowledged = new ArrayList<>();
    private int begun;

    /** Data that cannot be compressed. */
    private void push(MessageQueue<byte[]> queue) {
        byte[] payload = new byte[900_000];
        random.nextBytes(payload);
        String name = "m" + begun++;
        queue.push(payload, PushOptions.none().header(NAME, name));
        acknowledged.add(name);
    }

    private Throwable fill(MessageQueue<byte[]> queue) {
        while (true) {
            Throwable failure = catchThrowable(() -> push(queue));
            if (failure != null) {
                return failure;
            }
        }
    }

    @Test
    void pushesFailClearlyAndAcksAreDone() throws Exception {
        try (SmallDisk disk = SmallDisk.mount("40m");
                PostgresServer server = PostgresServer.builder()
                        .startedBy(disk.insideUnprivileged(), disk.folder().resolve("data"))
                        .start();
                QueueFactory jono = QueueFactory.builder("postgres:" + server.url())
                        .queueDefaults(QueueOptions.builder()
                                .lease(Duration.ofMinutes(1))
                                .build())
                        .connect()) {
            MessageQueue<byte[]> queue = jono.queue("orders", Codec.bytes());
            push(queue);
            push(queue);
            List<Reservation<byte[]>> held = queue.reserve(2, SOON);
            assertThat(held).hasSize(2);
            Throwable failure = fill(queue);
            assertThat(failure)
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("orders")
                    .hasMessageContaining("its disk is full");
            held.get(0).ack();
            assertThat(queue.counts().reserved()).isEqualTo(1);
            assertThat(queue.totalSize()).isEqualTo(acknowledged.size() - 1);

            disk.resize("200m");
            held.get(1).ack();
            push(queue);
            List<String> out = new ArrayList<>();
            while (queue.totalSize() > 0) {
                queue.pop(20, SOON)
                        .forEach(message ->
                                out.add(String.valueOf(message.headers().get(NAME))));
            }
            acknowledged.removeAll(List.of("m0", "m1"));
            assertThat(out).containsExactlyElementsOf(acknowledged);
        }
    }
}
