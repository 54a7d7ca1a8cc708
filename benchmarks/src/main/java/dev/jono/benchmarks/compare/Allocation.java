package dev.jono.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What this JVM allocates, as its flight recorder samples it. */
final class Allocation {
    private static final String EVENT = "jdk.ObjectAllocationSample";

    private final Recording recording;

    private Allocation(Recording recording) {
        this.recording = recording;
    }

    static Allocation begin() {
        Recording recording = new Recording();
        recording.enable(EVENT).with("throttle", "2000/s");
        recording.setMaxAge(Duration.ofMinutes(10));
        recording.start();
        return new Allocation(recording);
    }

    /** Bytes since the beginning; an estimate. */
    long end() throws IOException {
        recording.stop();
        Path file = Files.createTempFile("compare", ".jfr");
        try {
            recording.dump(file);
            recording.close();
            long bytes = 0;
            try (RecordingFile events = new RecordingFile(file)) {
                while (events.hasMoreEvents()) {
                    RecordedEvent event = events.readEvent();
                    if (event.getEventType().getName().equals(EVENT)) {
                        bytes += event.getLong("weight");
                    }
                }
            }
            return bytes;
        } finally {
            Files.delete(file);
        }
    }
}
