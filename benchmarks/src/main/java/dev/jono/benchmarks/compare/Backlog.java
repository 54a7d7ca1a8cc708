package dev.jono.benchmarks.compare;

import dev.jono.JonoClock;
import dev.jono.benchmarks.Contender.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BiFunction;

/** Push and take over a backlog: what is taken from the head of a long queue is pushed to its tail again. */
final class Backlog {
    private static final JonoClock CLOCK = JonoClock.system();
    private static final int FILLED_AT_ONCE = 50_000;
    private static final double FILL_SECONDS = 240;

    private Backlog() {}

    /** Fills a queue of its own, which is left as it is when the contestant goes on with another. */
    static void run(
            Session session,
            Work work,
            int rounds,
            double seconds,
            Duration limit,
            BiFunction<Contestant, String, Cell> cells)
            throws Exception {
        if (session.who.driver().equals("bare")) {
            return;
        }
        Cell push = cells.apply(session.who, work.id() + " push");
        Step take = session.who.steps().contains(Step.RESERVE_ACK) ? Step.RESERVE_ACK : Step.POP;
        Cell taken = cells.apply(session.who, work.id() + " " + take.id());
        session.restart();
        long begin = CLOCK.nanos();
        double rate = 0;
        for (int filled = 0; filled < work.depth(); filled += FILLED_AT_ONCE) {
            int count = Math.min(FILLED_AT_ONCE, work.depth() - filled);
            rate = session.push(count, work.bytes(), Driver.BEST, false, Duration.ofMinutes(2))
                    .perSecond();
            session.number(count);
            double expected = (CLOCK.nanos() - begin) / 1e9 * work.depth() / (filled + count);
            if (filled == 0 && expected > FILL_SECONDS) {
                throw new IOException(String.format("not run: filling would take %,.0f s", expected));
            }
        }
        int count = Math.max(100, (int) Math.min(work.depth(), rate * seconds / 2) / 100 * 100);
        for (int round = 0; round < rounds + 1; round++) {
            Outcome pushed = session.push(count, work.bytes(), Driver.BEST, false, limit);
            session.number(count);
            Outcome got = session.takeAny(take, count, work.bytes(), limit);
            if (round > 0) {
                push.add(pushed);
                taken.add(got);
            }
            if (got.check() != null && !got.check().clean()) {
                taken.trouble(got.check().toString());
            }
        }
        session.restart();
    }
}
