package dev.jono.cli;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The books of the accounts: the last payment of each account, in a file that all runners share. A handler writes the payment
 * when it begins and when it is done, so the next one sees whether it comes in order. Each entry is written in one step, so that
 * a kill leaves none half written. Thread-safe.
 */
final class DemoAccounts implements AutoCloseable {
    private final RandomAccessFile file;
    private final ReentrantLock lock = new ReentrantLock();

    /** Opens the file, or creates it. */
    DemoAccounts(Path path) throws IOException {
        this.file = new RandomAccessFile(path.toFile(), "rw");
    }

    /** The last payment of an account. */
    private record Entry(int sequence, boolean done) {}

    /**
     * Begins a payment.
     *
     * @return whether it is the one after the last payment, which is done, or a repetition of the last one
     */
    boolean begin(DemoJob payment) throws IOException {
        lock.lock();
        try {
            Entry last = read(payment.account());
            write(payment.account(), new Entry(payment.sequence(), false));
            return payment.sequence() == last.sequence || (last.done && payment.sequence() == last.sequence + 1);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a payment.
     *
     * @return whether no other payment of the account began meanwhile
     */
    boolean end(DemoJob payment) throws IOException {
        lock.lock();
        try {
            Entry last = read(payment.account());
            write(payment.account(), new Entry(payment.sequence(), true));
            return last.equals(new Entry(payment.sequence(), false));
        } finally {
            lock.unlock();
        }
    }

    /** An account without payments has number 0, which is done. */
    private Entry read(int account) throws IOException {
        byte[] bytes = new byte[Integer.BYTES];
        file.seek((long) account * Integer.BYTES);
        int stored = file.read(bytes) < 0 ? 0 : ByteBuffer.wrap(bytes).getInt();
        return new Entry(stored / 2, stored % 2 == 0);
    }

    private void write(int account, Entry entry) throws IOException {
        file.seek((long) account * Integer.BYTES);
        file.write(ByteBuffer.allocate(Integer.BYTES)
                .putInt(2 * entry.sequence + (entry.done ? 0 : 1))
                .array());
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
