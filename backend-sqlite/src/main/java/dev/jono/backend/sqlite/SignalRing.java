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
 * The signals of the processes to each other: a file of fixed size, written round and round by whoever has the turn.
 * A record has its number in the sequence, so its place, and a checksum. A reader that is overtaken, or meets a record
 * whose writer died half way, knows that it missed something.
 *
 * <p>Record: sequence (8 bytes), channel (8), due time (8), kind and origin (4: two bits and thirty), CRC-32C (4). An
 * instance is a place in the sequence, used by one thread.
 */
final class SignalRing implements AutoCloseable {
    static final int SLOTS = 4096;

    private static final int RECORD = 32;
    private static final int CHECKED = RECORD - Integer.BYTES;
    private static final int CHUNK = 64;
    private static final int KIND_BITS = 2;

    /** Told of signals, and that some were missed. */
    interface Sink {
        void signal(long channel, Signal.Kind kind, long dueMillis);

        void gap();
    }

    private final FileChannel file;
    private final NamedFile openedFile;
    /** What this process writes; it need not read it again. */
    private final int origin;

    /** Where others write is looked up here, without a call of the system. */
    private final MappedByteBuffer mapped;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK * RECORD);
    private final CRC32C crc = new CRC32C();
    /** The last record that was read or written. */
    private long lastSequence;
    /** The record that was found broken and told of. */
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

    /** Opens the file, which is made if it is not there, and goes to the end of the sequence. */
    static SignalRing open(Path path, int origin) throws IOException {
        FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            // One byte behind the records, so that the file has its size from the start.
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

    /** Whether this is still the file that others use. */
    boolean inPlace() {
        return openedFile.inPlace();
    }

    /** Tells of all records behind the last one; true when there was something to tell. */
    boolean read(Sink sink) throws IOException {
        boolean told = false;
        while (true) {
            int slot = slot(lastSequence + 1);
            int records = load(slot, Math.min(CHUNK, SLOTS - slot));
            for (int i = 0; i < records; i++) {
                long sequence = sequence(i);
                if (!intact(i)) {
                    return (sequence != 0 && reportBroken(sink)) || told;
                }
                if (sequence <= lastSequence) {
                    return told;
                }
                if (sequence != lastSequence + 1) {
                    skipToEnd();
                    sink.gap();
                    return true;
                }
                lastSequence = sequence;
                told |= deliver(i, sink);
            }
            if (records == 0) {
                return told;
            }
        }
    }

    /** The next record is half written; true when this is news. */
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
     * Writes records behind the last one. Only for who has the turn.
     *
     * @throws InternalError if the file was cut
     */
    void append(List<Announcements.Entry> entries) throws IOException {
        if (mapped.getLong(slot(lastSequence + 1) * RECORD) > lastSequence) {
            read(NO_SINK);
        }
        int at = 0;
        while (at < entries.size()) {
            int slot = slot(lastSequence + 1);
            int records = Math.min(Math.min(CHUNK, SLOTS - slot), entries.size() - at);
            buffer.clear();
            for (int i = 0; i < records; i++) {
                put(lastSequence + 1 + i, entries.get(at + i));
            }
            buffer.flip();
            file.write(buffer, (long) slot * RECORD);
            lastSequence += records;
            at += records;
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
