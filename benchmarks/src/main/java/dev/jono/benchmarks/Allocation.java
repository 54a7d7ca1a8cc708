package dev.jono.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Counts the bytes that the threads of this JVM allocate, with the flight recorder. The recorder reports each thread's
 * total at the begin and at the end of a recording; on JDK 17, the first recording of a JVM has no report at its begin.
 * A thread that ends before the recording does is not counted. Samples of allocations would be wrong: a thread's first
 * sample includes all that it allocated before (<a href="https://bugs.openjdk.org/browse/JDK-8307488">JDK-8307488</a>).
 */
public final class Allocation implements AutoCloseable {
    private static final String EVENT = "jdk.ThreadAllocationStatistics";

    private final Recording recording = new Recording();

    /** Starts to count. */
    public Allocation() {
        recording.enable(EVENT).with("period", "everyChunk");
        recording.start();
    }

    /** Returns the bytes since the start. */
    public long end() throws IOException {
        recording.stop();
        Path file = Files.createTempFile("compare", ".jfr");
        try {
            recording.dump(file);
            Map<Long, LongSummaryStatistics> threads = new HashMap<>();
            try (RecordingFile events = new RecordingFile(file)) {
                while (events.hasMoreEvents()) {
                    RecordedEvent event = events.readEvent();
                    if (event.getEventType().getName().equals(EVENT)) {
                        threads.computeIfAbsent(
                                        event.getThread("thread").getJavaThreadId(), id -> new LongSummaryStatistics())
                                .accept(event.getLong("allocated"));
                    }
                }
            }
            // A thread that started during the recording has only the report at the end.
            return threads.values().stream()
                    .mapToLong(all -> all.getMax() - (all.getCount() > 1 ? all.getMin() : 0))
                    .sum();
        } finally {
            Files.delete(file);
        }
    }

    /** Ends the recording, so that it does not slow down later measurements. */
    @Override
    public void close() {
        recording.close();
    }
}
