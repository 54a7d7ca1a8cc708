package dev.jono.testkit;

import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Records the signals that a signaller delivers, and counts gaps. Thread-safe. */
public final class RecordingListener implements Signaller.Listener {
    private final List<Signal> signals = new CopyOnWriteArrayList<>();
    private final AtomicInteger gaps = new AtomicInteger();

    /** Nothing is recorded yet. */
    public RecordingListener() {}

    @Override
    public void onSignal(Signal signal) {
        signals.add(signal);
    }

    @Override
    public void onGap() {
        gaps.incrementAndGet();
    }

    /** The signals so far. */
    public List<Signal> signals() {
        return List.copyOf(signals);
    }

    /** Whether a signal of this kind came. */
    public boolean received(Signal.Kind kind) {
        return signals.stream().anyMatch(signal -> signal.kind() == kind);
    }

    /** The number of gaps so far. */
    public int gaps() {
        return gaps.get();
    }
}
