package dev.jono.jobs;

import dev.jono.Durations;
import java.time.Duration;

/**
 * A limit of the starts of a type's runs in a period of time. See {@link JobType#rate}.
 *
 * @param starts the number of runs, 1 or more
 * @param per the period, a millisecond to ten years
 * @param burst how many runs can start at once after a time without runs, 1 or more
 */
public record Rate(int starts, Duration per, int burst) {
    /** Checks the ranges. */
    public Rate {
        if (starts < 1 || burst < 1) {
            throw new IllegalArgumentException(
                    "rate of " + starts + " with a burst of " + burst + ": both must be at least 1");
        }
        Durations.positive(per, "the period of a rate");
    }
}
