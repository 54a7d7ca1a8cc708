package dev.jono.cli;

import dev.jono.JonoClock;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows a progress bar on a terminal if the work takes longer than a second. Not thread-safe. */
final class Progress implements AutoCloseable {
    private static final long DELAY_NANOS = 1_000_000_000L;
    private static final int WIDTH = 78;

    private final Io io;
    private final long totalBytes;
    private final long start = JonoClock.system().nanos();
    private @Nullable ProgressBar bar;

    /**
     * Shows nothing yet.
     *
     * @param totalBytes the size of the input; less than 1 if it is not known
     */
    Progress(Io io, long totalBytes) {
        this.io = io;
        this.totalBytes = totalBytes;
    }

    /** Shows how much is done. */
    void at(long messages, long bytesRead) {
        if (!io.terminal()) {
            return;
        }
        if (bar == null && JonoClock.system().nanos() - start > DELAY_NANOS) {
            bar = new ProgressBarBuilder()
                    .setTaskName("push")
                    .setInitialMax(totalBytes > 0 ? totalBytes : -1)
                    .setUnit(totalBytes > 0 ? " MB" : "", totalBytes > 0 ? 1_000_000 : 1)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setConsumer(new ConsoleProgressBarConsumer(io.err(), WIDTH))
                    .setUpdateIntervalMillis(200)
                    .clearDisplayOnFinish()
                    .build();
        }
        if (bar != null) {
            bar.stepTo(totalBytes > 0 ? bytesRead : messages);
            bar.setExtraMessage(" " + messages + " stored");
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
