package dev.jono.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Shows frames on standard output. A terminal shows each in place of the last one; after the close, it shows its earlier content, and the last
 * frame below it. Otherwise the frames are written one after the other. Used by one thread; {@link #restore} also by a signal.
 */
final class Screen implements AutoCloseable {
    private static final String BEGIN = "\u001b[?1049h\u001b[?25l"; // another screen, without a cursor
    private static final String END = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_REST = "\u001b[J";

    private final Io io;
    private final AtomicBoolean begun = new AtomicBoolean();
    private List<String> last = List.of();

    Screen(Io io) {
        this.io = io;
    }

    /** A number of lines and columns. */
    record Size(int lines, int columns) {
        private static final Size DEFAULT = new Size(24, 80);
    }

    /** Whether frames replace each other. */
    boolean isTerminal() {
        return io.screen();
    }

    /** The size of the terminal now; 24 lines and 80 columns if it is not known. */
    Size size() {
        try {
            Process stty = new ProcessBuilder("sh", "-c", "stty size < /dev/tty")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String[] words = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\\s+", -1);
            stty.waitFor(1, TimeUnit.SECONDS);
            Size size =
                    words.length < 2 ? Size.DEFAULT : new Size(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
            return size.lines < 1 || size.columns < 1 ? Size.DEFAULT : size;
        } catch (IOException | NumberFormatException e) {
            return Size.DEFAULT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Size.DEFAULT;
        }
    }

    /** Shows a frame. On a terminal, it must not be larger than this. */
    void show(List<String> frame) throws IOException {
        if (!io.screen()) {
            write(String.join("\n", frame) + "\n\n");
            return;
        }
        last = frame;
        String start = begun.compareAndSet(false, true) ? BEGIN : "";
        write(start + HOME + String.join(CLEAR_LINE + "\n", frame) + CLEAR_LINE + CLEAR_REST);
    }

    private void write(String text) throws IOException {
        io.out().write(text.getBytes(StandardCharsets.UTF_8));
        io.out().flush();
    }

    /** Shows the earlier content again. */
    void restore() {
        if (begun.compareAndSet(true, false)) {
            try {
                write(END);
            } catch (IOException e) {
                // The terminal is gone.
            }
        }
    }

    @Override
    public void close() throws IOException {
        restore();
        if (!last.isEmpty()) {
            write(String.join("\n", last) + "\n");
        }
    }
}
