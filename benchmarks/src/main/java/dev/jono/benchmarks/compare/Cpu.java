package dev.jono.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads the CPU time of processes from {@code /proc}, to a hundredth of a second. */
final class Cpu {
    private static final double TICKS_PER_SECOND = 100;

    private Cpu() {}

    /** Returns the CPU seconds that these processes and their living descendants have used so far. */
    static double seconds(List<Long> pids) {
        return pids.stream()
                        .flatMap(pid -> ProcessHandle.of(pid).stream())
                        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                        .mapToLong(process -> ticks(Path.of("/proc/" + process.pid() + "/stat")))
                        .sum()
                / TICKS_PER_SECOND;
    }

    private static long ticks(Path stat) {
        try {
            String text = Files.readString(stat);
            // The name may contain blanks, so the fields are counted after it.
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        } catch (IOException | IndexOutOfBoundsException ended) {
            return 0;
        }
    }
}
