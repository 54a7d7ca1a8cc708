package dev.jono.jobs.internal;

import dev.jono.jobs.spi.LogLine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The log lines of a run that are not written yet: as many as a log keeps. Not thread-safe. */
final class LogBuffer {
    private static final int MAX_LINES = 1000;
    private static final int MAX_CHARACTERS = 256 * 1024;

    private final Deque<LogLine> lines = new ArrayDeque<>();
    private int characters;

    void add(LogLine line) {
        lines.add(line);
        characters += line.text().length();
        while (lines.size() > MAX_LINES || characters > MAX_CHARACTERS) {
            characters -= lines.remove().text().length();
        }
    }

    /** Removes and returns all lines. */
    List<LogLine> take() {
        List<LogLine> all = List.copyOf(lines);
        lines.clear();
        characters = 0;
        return all;
    }

    /** Puts lines that were not written before the others. */
    void putBack(List<LogLine> earlier) {
        List<LogLine> later = take();
        earlier.forEach(this::add);
        later.forEach(this::add);
    }
}
