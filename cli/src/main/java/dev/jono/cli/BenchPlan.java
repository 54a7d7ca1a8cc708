package dev.jono.cli;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * The parameters of a benchmark, and the format of its messages: a number, a time in microseconds, and padding.
 *
 * @param callers calls in flight
 * @param batch messages per call
 * @param size bytes per payload
 * @param messages how many messages
 * @param rate messages per second of an {@code e2e} producer; 0 for no limit
 */
record BenchPlan(int callers, int batch, int size, int messages, int rate) {
    /** The bytes of the number and of the time. */
    static final int MIN_SIZE = 16;

    private static final int SAMPLE = 1 << 16;
    private static final byte[] PADDING = padding();

    private static byte[] padding() {
        byte[] bytes = new byte[SAMPLE];
        SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < SAMPLE; i++) {
            bytes[i] = (byte) random.nextInt(' ', '~');
        }
        return bytes;
    }

    byte[] payload(long number, long micros) {
        ByteBuffer payload = ByteBuffer.allocate(size).putLong(number).putLong(micros);
        int offset = (int) (number % (SAMPLE / 2));
        while (payload.hasRemaining()) {
            payload.put(PADDING, offset, Math.min(payload.remaining(), SAMPLE - offset));
            offset = 0;
        }
        return payload.array();
    }

    static int number(byte[] payload) {
        return (int) ByteBuffer.wrap(payload).getLong();
    }

    static long micros(byte[] payload) {
        return ByteBuffer.wrap(payload).getLong(Long.BYTES);
    }

    /** Opens a queue with bounds that block no caller. */
    MessageQueue<byte[]> queue(QueueFactory jono, String name) {
        long pending = Math.max(65_536, 2L * callers * batch);
        return jono.queue(
                name,
                Codec.bytes(),
                QueueOptions.builder()
                        .maxPendingMessages((int) Math.min(Integer.MAX_VALUE, pending))
                        .maxPendingBytes(Math.max(64L << 20, pending * size))
                        .maxPayloadBytes(Math.max(1 << 20, size))
                        .build());
    }
}
