package dev.jono.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The processor time of processes, from {@code /proc}; in hundredths of a second, as Linux tells them. */
final class Cpu {
    private static final double TICKS = 100;

    private Cpu() {}

    /** Seconds that these processes, and those that they started and that live, have used so far. */
    static double seconds(List<Long> pids) {
        return pids.stream()
                        .flatMap(pid -> ProcessHandle.of(pid).stream())
                        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                        .mapToLong(process -> ticks(Path.of("/proc/" + process.pid() + "/stat")))
                        .sum()
                / TICKS;
    }

    private static long ticks(Path stat) {
        try {
            String text = Files.readString(stat);
            // The name may hold blanks: count from behind it.
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        } catch (IOException | IndexOutOfBoundsException ended) {
            return 0;
        }
    }
}
