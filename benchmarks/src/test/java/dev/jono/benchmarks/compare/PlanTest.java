package dev.jono.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jono.JonoClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A plan divides the time of a run so that the run ends in time. */
class PlanTest {
    private static Plan plan(Plan.Kind kind, List<Work> works, double seconds) {
        long end = JonoClock.system().nanos() + (long) (seconds * 1e9);
        return new Plan(kind, kind.rounds(), works, contestants(kind), end, 100);
    }

    /** Those that a run of this kind has by default. */
    private static List<Contestant> contestants(Plan.Kind kind) {
        return Contestants.all().stream()
                .filter(contestant -> kind != Plan.Kind.QUICK || Contestants.quick(contestant))
                .toList();
    }

    private static double whole(Plan.Kind kind, List<Work> works, double seconds) {
        Plan plan = plan(kind, works, seconds);
        double step = plan.stepSeconds(works.get(0));
        return works.stream()
                .flatMapToDouble(
                        work -> contestants(kind).stream().mapToDouble(contestant -> plan.cost(work, contestant, step)))
                .sum();
    }

    @Test
    void theCellsUseTheTimeOfTheRun() {
        assertThat(whole(Plan.Kind.QUICK, Work.quick(100), 240)).isCloseTo(240, within(1.0));
        assertThat(whole(Plan.Kind.USUAL, Work.usual(100), 2400)).isCloseTo(2400, within(1.0));
    }

    @Test
    void aWorkHasTheTimeThatIsLeft() {
        List<Work> works = Work.quickForAny(100);
        Plan plan = plan(Plan.Kind.QUICK, works, 600);
        Work flow = works.get(1);
        double alone =
                plan(Plan.Kind.QUICK, works.subList(1, works.size()), 600).stepSeconds(flow);
        assertThat(plan.stepSeconds(flow)).isCloseTo(alone, within(0.01));
        assertThat(plan.stepSeconds(works.get(0))).isLessThan(alone);
    }

    @Test
    void aStepHasSomeTimeEvenIfNoneIsLeft() {
        List<Work> works = Work.quick(100);
        assertThat(plan(Plan.Kind.QUICK, works, 0).stepSeconds(works.get(0))).isPositive();
    }

    @Test
    void theIdOfAWorkSelectsThatWorkAlone() {
        assertThat(Work.chosen(Work.full(100), List.of("queues-10", "flight")))
                .extracting(Work::id)
                .containsExactly("flight-4", "flight-64", "flight-1024", "queues-10");
    }

    @Test
    void aQuickRunHasAWorkForEachContestant() {
        assertThat(Contestants.all())
                .allSatisfy(
                        contestant -> assertThat(Work.quickForAny(100)).anyMatch(work -> work.supports(contestant)));
    }

    @Test
    void onlyContestantsWithJobsRunJobs() {
        assertThat(Contestants.all().stream().filter(Work.jobs()::supports))
                .isNotEmpty()
                .allSatisfy(contestant -> assertThat(contestant.id()).startsWith("jobs-"))
                .allSatisfy(contestant -> assertThat(Work.full(100).stream().filter(work -> work.supports(contestant)))
                        .extracting(Work::id)
                        .containsExactly("jobs"));
    }

    @Test
    void aQuickRunWarmsUpLongEnough() {
        List<Work> works = Work.quick(100);
        List<Contestant> contestants = contestants(Plan.Kind.QUICK);
        assertThat(contestants).hasSize(8);
        long end = JonoClock.system().nanos() + (long) (Plan.Kind.QUICK.minutes() * 60e9);
        Plan plan = new Plan(Plan.Kind.QUICK, Plan.Kind.QUICK.rounds(), works, contestants, end, 0);
        Work flow = works.get(0);
        assertThat(plan.warmUps(flow) * plan.stepSeconds(flow)).isGreaterThan(15);
    }
}
