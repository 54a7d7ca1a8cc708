package dev.jono.benchmarks.compare;

import dev.jono.JonoClock;
import dev.jono.benchmarks.QueueClient.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BiFunction;

/**
 * One contestant's rounds over a backlog: each round pushes messages to a long queue and takes the same number from its
 * head. At the end all messages are taken, which shows whether each arrived once.
 */
final class Backlog {
    private static final JonoClock CLOCK = JonoClock.system();
    private static final int FILLED_AT_ONCE = 50_000;

    /** A contestant that would need longer to fill its queue is not run. */
    private static final Duration FILL = Duration.ofMinutes(15);

    private static final Duration DRAIN = Duration.ofMinutes(30);

    private final Session session;
    private final Work work;
    private final Duration limit;
    private final Step take;
    private final Cell push;
    private final Cell taken;
    private double rate;

    /** A backlog in a new queue of this session's contestant. */
    Backlog(Session session, Work work, Duration limit, BiFunction<Contestant, String, Cell> cells) {
        this.session = session;
        this.work = work;
        this.limit = limit;
        this.take = work.takeSteps(session.contestant, true).get(0);
        this.push = cells.apply(session.contestant, work.id() + " " + Step.PUSH.id());
        this.taken = cells.apply(session.contestant, work.id() + " " + take.id());
    }

    void fill() throws Exception {
        session.restart();
        long begin = CLOCK.nanos();
        for (int filled = 0; filled < work.depth(); filled += FILLED_AT_ONCE) {
            int count = Math.min(FILLED_AT_ONCE, work.depth() - filled);
            rate = session.push(count, work, Driver.BEST, false, FILL).perSecond();
            session.advance(count);
            double expected = (CLOCK.nanos() - begin) / 1e9 * work.depth() / (filled + count);
            if (expected > FILL.toSeconds()) {
                throw new IOException(String.format("not run: filling would take %,.0f s", expected));
            }
        }
    }

    /**
     * Runs one round.
     *
     * @param number the number of the round that counts, from 1; 0 for a warm-up round
     */
    void round(double seconds, int number) throws Exception {
        int count = Math.max(100, (int) Math.min(work.depth(), rate * seconds / 2) / 100 * 100);
        RoundResult pushed = session.push(count, work, Driver.BEST, false, limit);
        session.advance(count);
        RoundResult got = session.takeFromBacklog(take, count, work, limit);
        if (number > 0) {
            push.add(pushed.with("round", number));
            taken.add(got.with("round", number));
        }
        require(got.check(), count);
        rate = Math.min(pushed.perSecond(), got.perSecond());
    }

    /** Takes all messages that are left and checks all arrivals. */
    void drain() throws Exception {
        int left = session.backlogLeft();
        RoundResult unused = session.takeFromBacklog(take, left, work, DRAIN);
        require(session.backlogCheck(), work.depth());
    }

    private static void require(@org.jspecify.annotations.Nullable DeliveryCheck check, int of) throws IOException {
        if (check != null && !check.clean()) {
            throw new IOException(String.format("of %,d messages: %s", of, check));
        }
    }
}
