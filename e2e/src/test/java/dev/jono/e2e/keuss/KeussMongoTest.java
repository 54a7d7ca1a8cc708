package dev.jono.e2e.keuss;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/** {@code mongo} together with keuss's. */
class KeussMongoTest extends KeussMongoCase {
    KeussMongoTest() {
        super("mongo");
    }

    @Override
    public KeussCase together() {
        return this;
    }

    @Test
    @ResourceLock("the processor")
    @Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void bothPopThousandsAtOnce() throws Exception {
        new KeussRace(factory.queue("qs"), factory.queue("qs"), jono).pop();
    }
}
