package dev.jono.cli;

import dev.jono.cli.LogLine.Fate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message of the demo after the stage of the pipeline: a parsed line of the log.
 *
 * @param n the line's number
 * @param at when the line was pushed
 * @param kind the kind of line
 * @param status the status of a request; 0 for other lines
 */
record LogEvent(int n, long at, Fate fate, Kind kind, int status, String text) {
    private static final Pattern REQUEST = Pattern.compile("\\S+ - \\S+ \\[[^]]+] \"[A-Z]+ .*\" ([0-9]{3}) [0-9]+ .*");
    private static final Pattern LEVEL = Pattern.compile("(?i)\\b(ERROR|WARN|INFO|DEBUG)\\b");
    private static final Pattern FAULT = Pattern.compile("\\b[\\w.]+Exception\\b|^\\s+at [\\w.$]+\\(");

    /** The kind of line. */
    enum Kind {
        REQUEST,
        MESSAGE,
        FAULT,
        OTHER
    }

    /** Parses a line. */
    static LogEvent parse(LogLine line) {
        Matcher request = REQUEST.matcher(line.text());
        if (request.matches()) {
            return new LogEvent(
                    line.n(), line.at(), line.fate(), Kind.REQUEST, Integer.parseInt(request.group(1)), line.text());
        }
        Matcher level = LEVEL.matcher(line.text());
        Kind kind = Kind.OTHER;
        if (FAULT.matcher(line.text()).find()) {
            kind = Kind.FAULT;
        } else if (level.find()) {
            kind = level.group(1).equalsIgnoreCase("ERROR") ? Kind.FAULT : Kind.MESSAGE;
        }
        return new LogEvent(line.n(), line.at(), line.fate(), kind, 0, line.text());
    }

    /** Whether the line reports a problem. */
    boolean isProblem() {
        return kind == Kind.FAULT || status >= 500;
    }
}
