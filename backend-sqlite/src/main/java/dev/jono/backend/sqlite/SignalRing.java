package dev.jono.backend.sqlite;

import dev.jono.spi.Signal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;

/**
 * A ring buffer in a file, with the signals between processes. The process that has the turn writes. The sequence
 * number of a record determines its slot. By sequence number and checksum a reader detects that it was overrun, or that
 * a writer died while it wrote a record; it then reports a gap.
 *
 * <p>A record: sequence (8 bytes), channel (8), due time (8), kind and origin (4 bytes: 2 and 30 bits), CRC-32C (4). An
 * instance is a position in the sequence, used by one thread.
 */
final class SignalRing implements AutoCloseable {
    static final int SLOTS = 4096;

    private static final int RECORD = 32;
    private static final int CHECKED = RECORD - Integer.BYTES;
    private static final int CHUNK = 64;
    private static final int KIND_BITS = 2;

    /** Receives signals, and notice of missed ones. */
    interface Sink {
        void signal(long channel, Signal.Kind kind, long dueMillis);

        void gap();
    }

    private final FileChannel file;
    private final NamedFile openedFile;
    /** Identifies the records of this process, which it skips when it reads. */
    private final int origin;

    /** A view of the file, in which a new record is found without a system call. */
    private final MappedByteBuffer mapped;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK * RECORD);
    private final CRC32C crc = new CRC32C();
    /** The sequence number of the last record that was read or written. */
    private long lastSequence;
    /** The sequence number of the broken record that was reported last. */
    private long brokenSequence;

    private SignalRing(FileChannel file, Path path, int origin) throws IOException {
        this.file = file;
        this.openedFile = NamedFile.of(path);
        this.mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, (long) SLOTS * RECORD);
        this.origin = origin;
    }

    static int newOrigin() {
        return ThreadLocalRandom.current().nextInt(1 << (Integer.SIZE - KIND_BITS));
    }

    /** Opens the file, which is created if it is missing, and skips to the end of the sequence. */
    static SignalRing open(Path path, int origin) throws IOException {
        FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            // One byte after the records, so that the file has its full size from the start.
            if (file.size() <= (long) SLOTS * RECORD) {
                file.write(ByteBuffer.allocate(1), (long) SLOTS * RECORD);
            }
            SignalRing ring = new SignalRing(file, path, origin);
            ring.skipToEnd();
            return ring;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    private void skipToEnd() throws IOException {
        long latest = 0;
        for (int slot = 0; slot < SLOTS; slot += CHUNK) {
            int records = load(slot, CHUNK);
            for (int i = 0; i < records; i++) {
                if (intact(i)) {
                    latest = Math.max(latest, sequence(i));
                }
            }
        }
        lastSequence = Math.max(lastSequence, latest);
    }

    /** Whether the path still leads to this file, which other processes use too. */
    boolean inPlace() {
        return openedFile.inPlace();
    }

    /** Reads the new records and passes them to the sink; true if the sink received anything. */
    boolean read(Sink sink) throws IOException {
        boolean delivered = false;
        while (true) {
            int slot = slot(lastSequence + 1);
            int records = load(slot, Math.min(CHUNK, SLOTS - slot));
            for (int i = 0; i < records; i++) {
                long sequence = sequence(i);
                if (!intact(i)) {
                    return (sequence != 0 && reportBroken(sink)) || delivered;
                }
                if (sequence <= lastSequence) {
                    return delivered;
                }
                if (sequence != lastSequence + 1) {
                    skipToEnd();
                    sink.gap();
                    return true;
                }
                lastSequence = sequence;
                delivered |= deliver(i, sink);
            }
            if (records == 0) {
                return delivered;
            }
        }
    }

    /** Reports a gap because the next record is incomplete; false if this was reported before. */
    private boolean reportBroken(Sink sink) {
        if (brokenSequence == lastSequence + 1) {
            return false;
        }
        brokenSequence = lastSequence + 1;
        sink.gap();
        return true;
    }

    private boolean deliver(int record, Sink sink) {
        int kindAndOrigin = buffer.getInt(record * RECORD + 24);
        if (kindAndOrigin >>> KIND_BITS == origin) {
            return false;
        }
        sink.signal(
                buffer.getLong(record * RECORD + 8),
                kind(kindAndOrigin & ((1 << KIND_BITS) - 1)),
                buffer.getLong(record * RECORD + 16));
        return true;
    }

    private static int code(Signal.Kind kind) {
        return switch (kind) {
            case INSERTED -> 0;
            case PAUSED -> 1;
            case RESUMED -> 2;
        };
    }

    private static Signal.Kind kind(int code) {
        return switch (code) {
            case 1 -> Signal.Kind.PAUSED;
            case 2 -> Signal.Kind.RESUMED;
            default -> Signal.Kind.INSERTED;
        };
    }

    /**
     * Writes records after the last one. The caller must have the turn.
     *
     * @throws InternalError if the file was truncated
     */
    void append(List<Announcements.Entry> entries) throws IOException {
        if (mapped.getLong(slot(lastSequence + 1) * RECORD) > lastSequence) {
            read(NO_SINK);
        }
        int written = 0;
        while (written < entries.size()) {
            int slot = slot(lastSequence + 1);
            int records = Math.min(Math.min(CHUNK, SLOTS - slot), entries.size() - written);
            buffer.clear();
            for (int i = 0; i < records; i++) {
                put(lastSequence + 1 + i, entries.get(written + i));
            }
            buffer.flip();
            file.write(buffer, (long) slot * RECORD);
            lastSequence += records;
            written += records;
        }
    }

    private void put(long sequence, Announcements.Entry entry) {
        int start = buffer.position();
        buffer.putLong(sequence)
                .putLong(entry.channel())
                .putLong(entry.signal().dueMillis())
                .putInt(origin << KIND_BITS | code(entry.signal().kind()));
        buffer.putInt(checksum(start));
    }

    private int load(int slot, int records) throws IOException {
        buffer.clear().limit(records * RECORD);
        long position = (long) slot * RECORD;
        while (buffer.hasRemaining()) {
            int read = file.read(buffer, position + buffer.position());
            if (read < 0) {
                break;
            }
        }
        return buffer.position() / RECORD;
    }

    private boolean intact(int record) {
        int start = record * RECORD;
        return sequence(record) != 0 && buffer.getInt(start + CHECKED) == checksum(start);
    }

    private long sequence(int record) {
        return buffer.getLong(record * RECORD);
    }

    private int checksum(int start) {
        crc.reset();
        ByteBuffer checked = buffer.duplicate();
        checked.limit(start + CHECKED).position(start);
        crc.update(checked);
        return (int) crc.getValue();
    }

    private static int slot(long sequence) {
        return (int) (sequence % SLOTS);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private static final Sink NO_SINK = new Sink() {
        @Override
        public void signal(long channel, Signal.Kind kind, long dueMillis) {}

        @Override
        public void gap() {}
    };
}
