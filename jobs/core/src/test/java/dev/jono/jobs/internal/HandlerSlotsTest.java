package dev.jono.jobs.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HandlerSlotsTest {
    private final HandlerSlots slots = new HandlerSlots(3);

    @Test
    void areFreeAgainWhenTheHandlerHasReturned() {
        AtomicInteger freed = new AtomicInteger();
        slots.addListener(freed::incrementAndGet);
        assertThat(slots.take(5)).isEqualTo(3);
        assertThat(slots.isOpen()).isFalse();
        slots.handled(2);
        assertThat(freed).hasValue(1);
        assertThat(slots.take(5)).isEqualTo(2);
        slots.finished(2);
        assertThat(slots.take(5)).isZero();
    }

    @Test
    void areFreeAgainIfNoHandlerRuns() {
        slots.take(3);
        slots.giveBack(1);
        slots.finished(1);
        assertThat(slots.take(5)).isEqualTo(2);
    }

    @Test
    void countAMessageOnceWhicheverEndsFirst() {
        slots.take(2);
        slots.handled(1);
        slots.finished(1); // the other one, without a handler
        slots.finished(1);
        assertThat(slots.take(5)).isEqualTo(3);
    }
}
