package dev.jono.jobs.internal;

import dev.jono.spi.ClaimGate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Limits the claims of one runner from the queues of one type: a run needs a slot of the runner, and a permit of each kind. Thread-safe.
 */
final class TypeGate implements ClaimGate {
    private final HandlerSlots slots;
    private final List<SharedPermits> permits;
    private final List<Runnable> callbacks = new CopyOnWriteArrayList<>();

    /** @param slots are those of all types of the runner */
    TypeGate(HandlerSlots slots, List<SharedPermits> permits) {
        this.slots = slots;
        this.permits = permits;
    }

    @Override
    public boolean isOpen() {
        return slots.isOpen() && permits.stream().allMatch(SharedPermits::isOpen);
    }

    @Override
    public int take(int wanted) {
        int free = slots.take(wanted);
        int taken = free;
        for (int i = 0; i < permits.size() && taken > 0; i++) {
            int fewer = permits.get(i).take(taken);
            for (SharedPermits before : permits.subList(0, i)) {
                before.giveBack(taken - fewer);
            }
            taken = fewer;
        }
        slots.giveBack(free - taken);
        return taken;
    }

    @Override
    public void giveBack(int count) {
        slots.giveBack(count);
        permits.forEach(each -> each.giveBack(count));
    }

    @Override
    public void finished(int count) {
        slots.finished(count);
        permits.forEach(each -> each.finished(count));
    }

    @Override
    public void onOpened(Runnable claim) {
        callbacks.add(claim);
        slots.addListener(claim);
        permits.forEach(each -> each.addListener(claim));
    }

    /** The runner has stopped. */
    void close() {
        callbacks.forEach(claim -> permits.forEach(each -> each.removeListener(claim)));
    }
}
