package dev.jono.backend.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.JonoClock;
import dev.jono.spi.Backend;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignalsTest {
    @TempDir
    Path directory;

    /** Records what a reader of the ring reports. */
    private static final class RecordingSink implements SignalRing.Sink {
        final List<Long> dues = new ArrayList<>();
        int gaps;

        @Override
        public void signal(long channel, Signal.Kind kind, long dueMillis) {
            dues.add(dueMillis);
        }

        @Override
        public void gap() {
            gaps++;
        }
    }

    private static List<Announcements.Entry> entries(int from, int to) {
        List<Announcements.Entry> entries = new ArrayList<>();
        for (int i = from; i < to; i++) {
            entries.add(new Announcements.Entry(i, Signal.inserted("q" + i, i)));
        }
        return entries;
    }

    @Test
    void recordsAreReadOnceInOrderAcrossTheEndOfTheRing() throws Exception {
        RecordingSink sink = new RecordingSink();
        try (SignalRing reader = SignalRing.open(directory.resolve("signal"), 1);
                SignalRing first = SignalRing.open(directory.resolve("signal"), 2);
                SignalRing second = SignalRing.open(directory.resolve("signal"), 3)) {
            List<Long> expected = new ArrayList<>();
            for (int i = 0; i < 3 * SignalRing.SLOTS; i += 100) {
                (i % 200 == 0 ? first : second).append(entries(i, i + 100));
                entries(i, i + 100).forEach(e -> expected.add(e.channel()));
                reader.read(sink);
            }
            reader.read(sink);
            assertThat(sink.dues).isEqualTo(expected);
            assertThat(sink.gaps).isZero();
        }
    }

    @Test
    void anOverrunReaderGetsAGapAndContinues() throws Exception {
        RecordingSink sink = new RecordingSink();
        try (SignalRing reader = SignalRing.open(directory.resolve("signal"), 1);
                SignalRing writer = SignalRing.open(directory.resolve("signal"), 2)) {
            writer.append(entries(0, SignalRing.SLOTS + 500));
            reader.read(sink);
            assertThat(sink.gaps).isEqualTo(1);
            sink.dues.clear();
            writer.append(entries(7, 8));
            reader.read(sink);
            assertThat(sink.dues).containsExactly(7L);
            assertThat(sink.gaps).isEqualTo(1);
        }
    }

    @Test
    void anIncompleteRecordIsAGapAndIsOverwritten() throws Exception {
        RecordingSink sink = new RecordingSink();
        Path path = directory.resolve("signal");
        try (SignalRing reader = SignalRing.open(path, 1);
                SignalRing writer = SignalRing.open(path, 2)) {
            writer.append(entries(0, 3));
            try (RandomAccessFile raw = new RandomAccessFile(path.toFile(), "rw")) {
                // The third record; the first has sequence 1.
                raw.seek(3 * 32 + 20);
                raw.write(99);
            }
            reader.read(sink);
            reader.read(sink);
            assertThat(sink.dues).containsExactly(0L, 1L);
            assertThat(sink.gaps).isEqualTo(1);
            try (SignalRing next = SignalRing.open(path, 3)) {
                next.append(entries(5, 7));
            }
            reader.read(sink);
            assertThat(sink.dues).containsExactly(0L, 1L, 5L, 6L);
        }
    }

    @Test
    void ownRecordsAreSkipped() throws Exception {
        RecordingSink sink = new RecordingSink();
        try (SignalRing reader = SignalRing.open(directory.resolve("signal"), 2);
                SignalRing writer = SignalRing.open(directory.resolve("signal"), 2)) {
            writer.append(entries(0, 3));
            reader.read(sink);
            assertThat(sink.dues).isEmpty();
        }
    }

    @Test
    void aProcessSignalsItselfWithinTheNamespace() throws Exception {
        String url = "sqlite:" + directory.resolve("queues.db");
        BlockingQueue<Signal> sink = new LinkedBlockingQueue<>();
        try (Backend backend = Fixture.open(directory.resolve("queues.db"));
                Signaller signaller = new SqliteSignallerProvider().open(Fixture.config(url, JonoClock.system()))) {
            assertThat(backend.carries(signaller)).isTrue();
            Signaller.Subscription listening = signaller.subscribe("orders", new Signaller.Listener() {
                @Override
                public void onSignal(Signal signal) {
                    sink.add(signal);
                }

                @Override
                public void onGap() {}
            });
            Fixture.insert(Fixture.queue(backend, "orders"), "a", "b");
            Signal inserted = sink.poll(10, TimeUnit.SECONDS);
            assertThat(inserted).isNotNull().extracting(Signal::kind).isEqualTo(Signal.Kind.INSERTED);
            Fixture.insert(Fixture.queue(backend, "others"), "a");
            Fixture.got(signaller.publish(Signal.paused("orders")));
            assertThat(sink.poll(10, TimeUnit.SECONDS))
                    .isNotNull()
                    .extracting(Signal::kind)
                    .isEqualTo(Signal.Kind.PAUSED);
            listening.close();
            listening.close();
            Fixture.got(signaller.publish(Signal.resumed("orders")));
            assertThat(sink).isEmpty();
        }
        assertThat(Announcements.channel("A", "BC")).isNotEqualTo(Announcements.channel("AB", "C"));
    }
}
