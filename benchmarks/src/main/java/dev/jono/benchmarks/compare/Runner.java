package dev.jono.benchmarks.compare;

import dev.jono.JonoClock;
import dev.jono.benchmarks.QueueClient.Step;
import dev.jono.benchmarks.Spread;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Runs a work by all contestants that support it, interleaved round by round (A B C A B C …), and keeps the results as
 * cells. One thread calls it.
 */
final class Runner {
    private static final JonoClock CLOCK = JonoClock.system();

    /** A contestant that has used this many times its share of a work's time makes only one round that counts. */
    private static final double PATIENCE = 2.5;

    private static final int FIRST_MESSAGES = 500;
    private static final int FIRST_ONE_BY_ONE = 100;
    private static final int MIN_MESSAGES = 100;
    private static final int MAX_MESSAGES = 400_000;

    /** With a deeper backlog, only one contestant at a time has one, because of memory. */
    private static final int DEEP = 1_000_000;

    private final List<Session> sessions;
    private final Plan plan;
    private final Servers servers;
    private final Duration limit;
    private final Map<String, Cell> cells = new LinkedHashMap<>();
    private final Map<String, Integer> sizes = new HashMap<>();
    private double seconds;
    /** The number of the round that counts, from 1; 0 for a warm-up round. */
    private int counted;

    /**
     * A runner for these contestants.
     *
     * @param limit the time after which a step counts as hung
     */
    Runner(List<Session> sessions, Plan plan, Servers servers, Duration limit) {
        this.sessions = sessions;
        this.plan = plan;
        this.servers = servers;
        this.limit = limit;
    }

    List<Cell> cells() {
        return List.copyOf(cells.values());
    }

    private Cell cell(Contestant contestant, String work) {
        return cells.computeIfAbsent(contestant.id() + " " + work, key -> new Cell(contestant, work));
    }

    /** Runs one work. */
    void run(Work work) throws InterruptedException {
        long begin = CLOCK.nanos();
        seconds = plan.stepSeconds(work);
        List<Session> able = sessions.stream()
                .filter(session -> work.supports(session.contestant))
                .toList();
        if (work.kind() == Work.Kind.BACKLOG) {
            if (work.depth() > DEEP) {
                for (Session session : able) {
                    backlog(List.of(session), work);
                }
            } else {
                backlog(able, work);
            }
        } else {
            turns(able, work);
        }
        System.err.printf("  %s: %.1f s%n", work.id(), (CLOCK.nanos() - begin) / 1e9);
    }

    private void turns(List<Session> all, Work work) throws InterruptedException {
        List<Session> able = new ArrayList<>(all);
        able.removeIf(session -> tooSlow(session, work));
        Map<Session, Integer> troubles = new HashMap<>();
        Map<Session, Double> used = new HashMap<>();
        int warmUps = plan.warmUps(work);
        for (int round = 0; round < warmUps + plan.rounds(work); round++) {
            boolean counts = round >= warmUps;
            counted = Math.max(0, round - warmUps + 1);
            for (Session session : List.copyOf(able)) {
                boolean spent =
                        used.getOrDefault(session, 0.0) > PATIENCE * plan.cost(work, session.contestant, seconds);
                if (spent && (!counts || counted > 1)) {
                    continue;
                }
                long begin = CLOCK.nanos();
                if (!attempt(session, work, () -> round(session, work, counts))
                        && troubles.merge(session, 1, Integer::sum) == (plan.quick() ? 1 : 2)) {
                    able.remove(session);
                }
                used.merge(session, (CLOCK.nanos() - begin) / 1e9, Double::sum);
            }
        }
        used.forEach((session, time) -> {
            if (time > PATIENCE * plan.cost(work, session.contestant, seconds)) {
                System.err.printf("  %s: %s took %.1f s%n", work.id(), session.contestant.id(), time);
            }
        });
    }

    private void backlog(List<Session> all, Work work) throws InterruptedException {
        Map<Session, Backlog> able = new LinkedHashMap<>();
        for (Session session : all) {
            Backlog backlog = new Backlog(session, work, limit, this::cell);
            if (attempt(session, work, backlog::fill)) {
                able.put(session, backlog);
            }
        }
        int warmUps = plan.warmUps(work);
        for (int round = 0; round < warmUps + plan.rounds(work); round++) {
            int number = Math.max(0, round - warmUps + 1);
            for (Session session : List.copyOf(able.keySet())) {
                Backlog backlog = Objects.requireNonNull(able.get(session));
                if (!attempt(session, work, () -> backlog.round(seconds, number))) {
                    able.remove(session);
                }
            }
        }
        for (Map.Entry<Session, Backlog> each : able.entrySet()) {
            attempt(each.getKey(), work, each.getValue()::drain);
        }
    }

    /**
     * Skips a paced work if the contestant's flow is slower than the pace: its delay would only show the length of its
     * queue.
     */
    private boolean tooSlow(Session session, Work work) {
        double flow = flow(session);
        if (work.kind() != Work.Kind.PACED || (work.rate() > 0 && (flow == 0 || flow > work.rate()))) {
            return false;
        }
        if (work.rate() < 0 && flow > 0) {
            return false;
        }
        cell(session.contestant, work.id())
                .trouble(flow == 0 ? "not run: it has no flow" : String.format("not run: its flow is %,.0f/s", flow));
        return true;
    }

    /** Returns the median rate of the steady flow to one process, or 0 if there is none. */
    private double flow(Session session) {
        Cell flow = cells.get(session.contestant.id() + " flow-1");
        return flow == null ? 0 : flow.spread("perSecond").map(Spread::median).orElse(0.0);
    }

    private interface Part {
        void run() throws Exception;
    }

    /** Runs a part. If it fails, notes the failure in the cells of the work, restarts the contestant, and returns false. */
    @com.google.errorprone.annotations.CanIgnoreReturnValue
    private boolean attempt(Session session, Work work, Part part) throws InterruptedException {
        try {
            part.run();
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            String what = e instanceof ContestantProcess.TimeoutException
                    ? "hung: " + e.getMessage()
                    : String.valueOf(e.getMessage());
            what = what.lines().findFirst().orElse("failed");
            System.err.printf("  %s: %s: %s%n", session.contestant.id(), work.id(), what);
            List<Cell> begun = cells.values().stream()
                    .filter(cell -> cell.contestant.equals(session.contestant)
                            && (cell.work.equals(work.id()) || cell.work.startsWith(work.id() + " ")))
                    .toList();
            if (begun.isEmpty()) {
                boolean steps = work.kind() == Work.Kind.STEPS;
                cell(session.contestant, steps ? work.id() + " " + Step.PUSH.id() : work.id())
                        .trouble(what);
            }
            for (Cell cell : begun) {
                cell.trouble(what);
            }
            try {
                session.restart();
            } catch (IOException again) {
                System.err.println(again);
            }
            return false;
        }
    }

    private int size(Session session, Work work) {
        int first = work.width() == 1 ? FIRST_ONE_BY_ONE : Math.max(work.queues(), FIRST_MESSAGES);
        return sizes.getOrDefault(session.contestant.id() + " " + work.id(), first);
    }

    /** Sets the number of messages of the next round by the speed of this one. */
    private void learn(Session session, Work work, double perSecond) {
        double least = Math.max(Math.max(MIN_MESSAGES, session.contestant.minMessages(work)), work.queues());
        double count = Math.max(least, Math.min(MAX_MESSAGES, perSecond * seconds));
        double unit = Math.pow(10, Math.floor(Math.log10(count)) - 1);
        sizes.put(session.contestant.id() + " " + work.id(), (int) (Math.floor(count / unit) * unit));
    }

    private void round(Session session, Work work, boolean counts) throws Exception {
        switch (work.kind()) {
            case STEPS -> steps(session, work, counts);
            case FLOW -> {
                int count = size(session, work);
                RoundResult result = session.flow(count, work, 0, limit);
                session.advance(count);
                keep(session, work.id(), result, counts);
                if (!counts) {
                    learn(session, work, result.perSecond());
                }
            }
            case PACED -> paced(session, work, counts);
            case JOBS -> jobs(session, work, counts);
            case BYTES -> {
                double rate = Math.min(rate(session, "best push"), rate(session, "best reserve-ack"));
                keep(
                        session,
                        work.id(),
                        MessageBytes.run(session, servers, work, MessageBytes.count(2 * rate), limit),
                        counts);
            }
            default -> throw new IllegalArgumentException(work.id());
        }
    }

    /** Returns the median rate of a cell, or a large number if it has none. */
    private double rate(Session session, String work) {
        Cell cell = cells.get(session.contestant.id() + " " + work);
        return cell == null ? 1e9 : cell.spread("perSecond").map(Spread::median).orElse(1e9);
    }

    private void steps(Session session, Work work, boolean counts) throws Exception {
        int count = size(session, work);
        double slowest = Double.MAX_VALUE;
        boolean first = true;
        for (Step take : work.takeSteps(session.contestant, plan.quick())) {
            // The second push only fills the queue.
            RoundResult push = session.push(count, work, first ? work.width() : Driver.BEST, false, limit);
            RoundResult taken = session.take(take, count, work, work.width(), false, limit);
            session.advance(count);
            if (first) {
                // A message that did not arrive makes the push wrong, too.
                push.checked(Objects.requireNonNull(taken.check()));
                keep(session, work.id() + " " + Step.PUSH.id(), push, counts);
                slowest = push.perSecond();
            }
            keep(session, work.id() + " " + take.id(), taken, counts);
            slowest = Math.min(slowest, taken.perSecond());
            first = false;
        }
        if (!counts) {
            learn(session, work, slowest);
        }
    }

    private void jobs(Session session, Work work, boolean counts) throws Exception {
        int count = size(session, work);
        RoundResult enqueued = session.push(count, work, Driver.BEST, false, limit);
        RoundResult run = session.take(Step.RESERVE_ACK, count, work, work.width(), false, limit);
        session.advance(count);
        DeliveryCheck check = Objects.requireNonNull(run.check());
        keep(session, work.id(), enqueued.then(run).checked(check), counts);
        keep(session, work.id() + " enqueue", enqueued, counts);
        keep(session, work.id() + " run", run, counts);
        if (!counts) {
            learn(session, work, Math.min(enqueued.perSecond(), run.perSecond()));
        }
    }

    /** Runs a paced flow; warm-up rounds have the same rate. */
    private void paced(Session session, Work work, boolean counts) throws Exception {
        double rate = work.rate() < 0 ? -work.rate() * flow(session) : work.rate();
        int count = (int) Math.max(20, rate * plan.pacedSeconds(counts));
        RoundResult result = session.flow(count, work, rate, limit);
        session.advance(count);
        keep(session, work.id(), result, counts);
    }

    private void keep(Session session, String id, RoundResult result, boolean counts) throws IOException {
        Cell cell = cell(session.contestant, id);
        if (counts) {
            cell.add(result.with("round", counted));
        }
        DeliveryCheck check = result.check();
        if (check != null && !check.clean()) {
            throw new IOException(String.format("of %,d messages: %s", result.count(), check));
        }
    }
}
