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

/** Lets all contestants do each work in turn, A B C A B C …, and keeps what came out. */
final class Runner {
    private static final JonoClock CLOCK = JonoClock.system();

    /** Who has used so many times its share of a work's time makes one round that counts, and no more. */
    private static final double PATIENCE = 2.5;

    private static final int FIRST_MESSAGES = 500;
    private static final int FIRST_ONE_BY_ONE = 100;
    private static final int LEAST_MESSAGES = 100;
    private static final int MOST_MESSAGES = 400_000;

    /** A backlog deeper than this only one has at a time, for want of memory. */
    private static final int DEEP = 1_000_000;

    private final List<Session> sessions;
    private final Plan plan;
    private final Servers servers;
    private final Duration limit;
    private final Map<String, Cell> cells = new LinkedHashMap<>();
    private final Map<String, Integer> sizes = new HashMap<>();
    private double seconds;

    /**
     * For these contestants.
     *
     * @param limit after which a step has hung
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

    private Cell cell(Contestant who, String work) {
        return cells.computeIfAbsent(who.id() + " " + work, key -> new Cell(who, work));
    }

    /** One work, by all that can do it. */
    void run(Work work) throws InterruptedException {
        long begin = CLOCK.nanos();
        seconds = plan.stepSeconds(work);
        List<Session> able =
                sessions.stream().filter(session -> work.can(session.who)).toList();
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
        int counted = 0;
        for (int round = 0; round < warmUps + plan.rounds(work); round++) {
            boolean counts = round >= warmUps;
            counted += counts ? 1 : 0;
            for (Session session : List.copyOf(able)) {
                boolean spent = used.getOrDefault(session, 0.0) > PATIENCE * plan.cost(work, session.who, seconds);
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
            if (time > PATIENCE * plan.cost(work, session.who, seconds)) {
                System.err.printf("  %s: %s took %.1f s%n", work.id(), session.who.id(), time);
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
            boolean counts = round >= warmUps;
            for (Session session : List.copyOf(able.keySet())) {
                Backlog backlog = Objects.requireNonNull(able.get(session));
                if (!attempt(session, work, () -> backlog.round(seconds, counts))) {
                    able.remove(session);
                }
            }
        }
        for (Map.Entry<Session, Backlog> each : able.entrySet()) {
            attempt(each.getKey(), work, each.getValue()::drain);
        }
    }

    /** Whoever cannot keep the pace would only show how long its queue has grown. */
    private boolean tooSlow(Session session, Work work) {
        double flow = flow(session);
        if (work.kind() != Work.Kind.PACED || (work.rate() > 0 && (flow == 0 || flow > work.rate()))) {
            return false;
        }
        if (work.rate() < 0 && flow > 0) {
            return false;
        }
        cell(session.who, work.id())
                .trouble(flow == 0 ? "not run: there is no flow" : String.format("not run: its flow is %,.0f/s", flow));
        return true;
    }

    /** The median of the fastest flow, or 0. */
    private double flow(Session session) {
        Cell flow = cells.get(session.who.id() + " flow-1");
        return flow == null ? 0 : flow.spread("perSecond").map(Spread::median).orElse(0.0);
    }

    private interface Part {
        void run() throws Exception;
    }

    /** Runs a part; what goes wrong is noted in the cells of the work, and the contestant begins anew. */
    @com.google.errorprone.annotations.CanIgnoreReturnValue
    private boolean attempt(Session session, Work work, Part part) throws InterruptedException {
        try {
            part.run();
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            String what = e instanceof ContestantProcess.Late ? "hung: " + e.getMessage() : String.valueOf(e.getMessage());
            what = what.lines().findFirst().orElse("failed");
            System.err.printf("  %s: %s: %s%n", session.who.id(), work.id(), what);
            List<Cell> begun = cells.values().stream()
                    .filter(cell -> cell.who.equals(session.who)
                            && (cell.work.equals(work.id()) || cell.work.startsWith(work.id() + " ")))
                    .toList();
            if (begun.isEmpty()) {
                boolean steps = work.kind() == Work.Kind.STEPS;
                cell(session.who, steps ? work.id() + " " + Step.PUSH.id() : work.id())
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
        return sizes.getOrDefault(session.who.id() + " " + work.id(), first);
    }

    /** How many messages the next round has, after this one was so fast. */
    private void learn(Session session, Work work, double perSecond) {
        double least = Math.max(Math.max(LEAST_MESSAGES, session.who.least(work)), work.queues());
        double wanted = Math.max(least, Math.min(MOST_MESSAGES, perSecond * seconds));
        double unit = Math.pow(10, Math.floor(Math.log10(wanted)) - 1);
        sizes.put(session.who.id() + " " + work.id(), (int) (Math.floor(wanted / unit) * unit));
    }

    private void round(Session session, Work work, boolean counts) throws Exception {
        switch (work.kind()) {
            case STEPS -> steps(session, work, counts);
            case FLOW -> {
                int count = size(session, work);
                RoundResult outcome = session.flow(count, work, 0, limit);
                session.number(count);
                keep(session, work.id(), outcome, counts);
                if (!counts) {
                    learn(session, work, outcome.perSecond());
                }
            }
            case PACED -> paced(session, work, counts);
            case BYTES -> {
                double rate = Math.min(rate(session, "best push"), rate(session, "best reserve-ack"));
                keep(session, work.id(), MessageBytes.run(session, servers, work, MessageBytes.count(2 * rate), limit), counts);
            }
            default -> throw new IllegalArgumentException(work.id());
        }
    }

    /** Messages a second, or a great number where there is no such figure. */
    private double rate(Session session, String work) {
        Cell cell = cells.get(session.who.id() + " " + work);
        return cell == null ? 1e9 : cell.spread("perSecond").map(Spread::median).orElse(1e9);
    }

    private void steps(Session session, Work work, boolean counts) throws Exception {
        int count = size(session, work);
        double slowest = Double.MAX_VALUE;
        boolean first = true;
        for (Step take : work.takes(session.who, plan.quick())) {
            // The second time the push only fills the queue.
            RoundResult push = session.push(count, work, first ? work.width() : Driver.BEST, false, limit);
            RoundResult taken = session.take(take, count, work, work.width(), false, limit);
            session.number(count);
            if (first) {
                // What was pushed and did not come speaks against the push as well.
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

    /** Warmed up at the rate that is measured, all for as long. */
    private void paced(Session session, Work work, boolean counts) throws Exception {
        double rate = work.rate() < 0 ? -work.rate() * flow(session) : work.rate();
        int count = (int) Math.max(20, rate * plan.pacedSeconds(counts));
        RoundResult outcome = session.flow(count, work, rate, limit);
        session.number(count);
        keep(session, work.id(), outcome, counts);
    }

    private void keep(Session session, String id, RoundResult outcome, boolean counts) throws IOException {
        Cell cell = cell(session.who, id);
        if (counts) {
            cell.add(outcome);
        }
        DeliveryCheck check = outcome.check();
        if (check != null && !check.clean()) {
            throw new IOException(String.format("of %,d: %s", outcome.count(), check));
        }
    }
}
