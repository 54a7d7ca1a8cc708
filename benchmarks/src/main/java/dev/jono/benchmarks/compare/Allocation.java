package dev.jono.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * What this JVM allocates, as its flight recorder samples it. A sample weighs what its thread has allocated since the one before,
 * the first one all that it ever has (<a href="https://bugs.openjdk.org/browse/JDK-8307488">JDK-8307488</a>). So the recorder
 * runs on, and only what is measured behind a round of the same is true.
 */
final class Allocation implements AutoCloseable {
    private static final String EVENT = "jdk.ObjectAllocationSample";

    private final Recording recording = new Recording();
    private Instant begin = Instant.MIN;

    Allocation() {
        recording.enable(EVENT).with("throttle", "2000/s");
        recording.setMaxAge(Duration.ofMinutes(10));
        recording.start();
    }

    /** Counts from now on. */
    void begin() {
        begin = Instant.now();
    }

    /** Bytes since the beginning; an estimate. */
    long end() throws IOException {
        Path file = Files.createTempFile("compare", ".jfr");
        try {
            recording.dump(file);
            long bytes = 0;
            try (RecordingFile events = new RecordingFile(file)) {
                while (events.hasMoreEvents()) {
                    RecordedEvent event = events.readEvent();
                    if (event.getEventType().getName().equals(EVENT)
                            && event.getStartTime().isAfter(begin)) {
                        bytes += event.getLong("weight");
                    }
                }
            }
            return bytes;
        } finally {
            Files.delete(file);
        }
    }

    /** What comes next is not slowed down by it. */
    @Override
    public void close() {
        recording.close();
    }
}
