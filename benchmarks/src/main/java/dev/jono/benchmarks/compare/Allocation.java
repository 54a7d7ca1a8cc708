package dev.jono.benchmarks.compare;

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
 * What the threads of this JVM allocate, as its flight recorder counts it: of each thread all that it ever did, once when the
 * recording begins (on JDK 17 not if it is the first one of the JVM) and once when it ends. Not counted is a thread that ends
 * before. Samples of allocations would not do: the first one of a thread weighs what that has allocated in its life
 * (<a href="https://bugs.openjdk.org/browse/JDK-8307488">JDK-8307488</a>).
 */
final class Allocation implements AutoCloseable {
    private static final String EVENT = "jdk.ThreadAllocationStatistics";

    private final Recording recording = new Recording();

    /** Counts from now on. */
    Allocation() {
        recording.enable(EVENT).with("period", "everyChunk");
        recording.start();
    }

    /** Bytes since the beginning. */
    long end() throws IOException {
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
            // Of one that began meanwhile there is only the end.
            return threads.values().stream()
                    .mapToLong(all -> all.getMax() - (all.getCount() > 1 ? all.getMin() : 0))
                    .sum();
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
