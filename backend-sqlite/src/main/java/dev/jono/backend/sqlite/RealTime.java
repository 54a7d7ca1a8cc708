package dev.jono.backend.sqlite;

import dev.jono.JonoClock;

/**
 * The monotonic time of the system, for checks and waits of the file itself. The factory's clock is not used for them: in a
 * test, that clock may stand still.
 */
final class RealTime {
    private static final JonoClock CLOCK = JonoClock.system();

    private RealTime() {}

    static long nanos() {
        return CLOCK.nanos();
    }
}
