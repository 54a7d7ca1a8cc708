package dev.jono.testkit.server;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Sends signals to processes. */
public final class ProcessSignal {
    private ProcessSignal() {}

    /**
     * Sends a signal.
     *
     * @param name its name, such as {@code STOP}
     * @throws IllegalStateException if the process has ended
     */
    public static void send(Process process, String name) {
        if (!send(process.toHandle(), name)) {
            throw new IllegalStateException("process " + process.pid() + " did not accept the signal " + name);
        }
    }

    /** As {@link #send(Process, String)}; returns whether the process was there to receive the signal. */
    @CanIgnoreReturnValue
    static boolean send(ProcessHandle process, String name) {
        try {
            int exit = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .start()
                    .waitFor();
            return exit == 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send a signal", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending a signal", e);
        }
    }
}
