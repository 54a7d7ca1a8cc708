package dev.jono.jobs.redis;

import static dev.jono.testkit.RawBackend.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordQuery;
import dev.jono.jobs.spi.RecordState;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The work of each script is bounded, whatever the store contains, because Redis serves no other client while a script runs. The
 * test reads {@code INFO commandstats}, which also counts the commands inside scripts.
 */
class RedisJobBoundedWorkTest extends StoreOnRedis {
    private static final int LIST = 1_000;
    /** A script that writes or removes 100 records runs at most six commands for each. */
    private static final long MAX_COMMANDS_PER_SCRIPT = 620;

    private static final Pattern COMMAND = Pattern.compile("cmdstat_([a-z]+):calls=(\\d+)");
    private static final Set<String> TAGS = Set.of("eu", "big", "nightly");
    private static final List<String> IDS =
            IntStream.range(0, LIST).mapToObj(i -> "resize:" + i).toList();

    private record Work(long scripts, long commands) {}

    private Work workOf(Callable<?> step) throws Exception {
        redis.call("CONFIG", "RESETSTAT");
        step.call();
        long scripts = 0;
        long commands = 0;
        long times = 0;
        Matcher stats = COMMAND.matcher(String.valueOf(redis.call("INFO", "commandstats")));
        while (stats.find()) {
            long calls = Long.parseLong(stats.group(2));
            if (stats.group(1).equals("evalsha")) {
                scripts = calls;
            } else {
                commands += calls;
                times += stats.group(1).equals("time") ? calls : 0;
            }
        }
        assertThat(times).as("commands that read the time").isLessThanOrEqualTo(scripts);
        return new Work(scripts, commands);
    }

    private void manyShortScripts(Callable<?> step) throws Exception {
        Work work = workOf(step);
        assertThat(work.scripts).as("scripts").isBetween((long) LIST / 100, (long) LIST / 100 + 2);
        assertThat(work.commands / work.scripts)
                .as("commands in a script")
                .isLessThanOrEqualTo(MAX_COMMANDS_PER_SCRIPT);
    }

    private static List<RecordChange> changes(RecordState state, @Nullable Long keepMillis) {
        return IDS.stream()
                .map(id -> change(id, state)
                        .tags(TAGS)
                        .keepMillis(keepMillis)
                        .logLines(List.of(line(1), line(2)))
                        .build())
                .toList();
    }

    @Test
    void scriptsOverLongListsAreManyAndShort() throws Exception {
        manyShortScripts(() -> got(store.write(changes(RecordState.OPEN, 1000L))));
        manyShortScripts(() -> got(store.write(changes(RecordState.OPEN, null))));
        manyShortScripts(() -> got(store.write(changes(RecordState.FAILED, 0L))));
        manyShortScripts(() -> got(store.write(changes(RecordState.FAILED, 0L))));
        manyShortScripts(() -> got(store.postpone(IDS, 0)));
        manyShortScripts(() -> got(store.removeExpired(IDS)));
        assertThat(keys()).containsExactly("jono:jobs:types");
        got(store.write(changes(RecordState.SUCCEEDED, null)));
        manyShortScripts(() -> got(store.remove(IDS)));
        assertThat(keys()).containsExactly("jono:jobs:types");
    }

    @Test
    void workOfAPageDoesNotGrowWithTheNumberOfRecords() throws Exception {
        got(store.write(changes(RecordState.SUCCEEDED, 0L)));
        RecordQuery page = new RecordQuery("resize", RecordState.SUCCEEDED, null, null, 50);
        RecordQuery tagged = new RecordQuery(
                "resize", RecordState.SUCCEEDED, "big", new RecordQuery.Position(Long.MAX_VALUE, "resize:9"), 50);
        for (RecordQuery query : List.of(page, tagged)) {
            assertThat(workOf(() -> assertThat(got(store.find(query))).hasSize(50)).commands)
                    .isLessThan(5);
        }
        assertThat(workOf(() -> got(store.counts())).commands).isLessThan(12);
        assertThat(workOf(() -> assertThat(got(store.expired(50))).hasSize(50)).commands)
                .isLessThan(70);
    }

    @Test
    void workOnEntriesIsBounded() throws Exception {
        List<EntryChange> changes = IDS.stream()
                .map(id -> new EntryChange("limit", id, null, "v1", "{}"))
                .toList();
        manyShortScripts(() -> got(store.changeEntries(changes)));
        manyShortScripts(
                () -> assertThat(got(store.entries("limit", IDS)).entries()).hasSize(LIST));
        manyShortScripts(() ->
                assertThat(got(store.listEntries("limit", "", LIST)).entries()).hasSize(LIST));
        assertThat(workOf(() -> got(store.listEntries("limit", "resize:500", 10))).commands)
                .isLessThan(15);
        manyShortScripts(() -> got(store.changeEntries(IDS.stream()
                .map(id -> new EntryChange("limit", id, "v1", "v2", null))
                .toList())));
        assertThat(keys()).isEmpty();
    }

    @Test
    void scriptsOverLargeEntriesStopAfterSomeMegabytes() throws Exception {
        String document = "x".repeat(1 << 20);
        List<EntryChange> changes = IDS.subList(0, 20).stream()
                .map(id -> new EntryChange("limit", id, null, "v1", document))
                .toList();
        assertThat(workOf(() -> got(store.changeEntries(changes))).scripts).isBetween(5L, 10L);
        assertThat(workOf(() -> assertThat(
                                        got(store.listEntries("limit", "", 50)).entries())
                                .hasSize(20))
                        .scripts)
                .isBetween(4L, 7L);
    }

    /** Two full logs at once: the second replaces the first, and the script reads what it removes in pages. */
    @Test
    void fullLogsAreTrimmedInFewCommands() throws Exception {
        List<LogLine> lines =
                IntStream.range(0, 1000).mapToObj(StoreOnRedis::line).toList();
        RecordChange full = change("resize:1", RecordState.OPEN).logLines(lines).build();
        got(store.write(List.of(full)));
        assertThat(workOf(() -> got(store.write(List.of(full)))).commands).isLessThan(30);
        assertThat(got(store.log("resize:1", 2000))).isEqualTo(lines);
        assertThat(String.valueOf(redis.call("HGET", "jono:jobs:record:{jobs:resize}", "1")))
                .contains(" "
                        + lines.stream().mapToInt(line -> line.text().length()).sum() + " ");
    }

    @Test
    void scriptsOverLargeRecordsStopAfterSomeMegabytes() throws Exception {
        String document = "{\"text\":\"" + "x".repeat(1 << 20) + "\"}";
        List<String> ids = IDS.subList(0, 20);
        List<RecordChange> large = ids.stream()
                .map(id -> change(id, RecordState.SUCCEEDED)
                        .document(document)
                        .keepMillis(0L)
                        .build())
                .toList();
        assertThat(workOf(() -> got(store.write(large))).scripts).isBetween(5L, 10L);
        assertThat(workOf(() -> got(store.postpone(ids, 0))).scripts).isBetween(4L, 7L);
        assertThat(workOf(() -> assertThat(got(store.remove(ids))).hasSize(20).doesNotContain(false)).scripts)
                .isBetween(4L, 7L);
    }
}
