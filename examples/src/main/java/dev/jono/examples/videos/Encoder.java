package dev.jono.examples.videos;

/** Converts a file, such as by {@code ffmpeg}. Called by several threads. */
@FunctionalInterface
public interface Encoder {
    /**
     * Converts a file to a format. Converting it again replaces the new file.
     *
     * @return the name of the new file
     * @throws UnreadableVideoException if the file cannot be converted at all
     * @throws Exception if the conversion should be tried again
     */
    String encode(String file, String format) throws Exception;

    /** Thrown if a file is no video. */
    final class UnreadableVideoException extends Exception {
        private static final long serialVersionUID = 1L;

        /** Says why. */
        public UnreadableVideoException(String message) {
            super(message);
        }
    }
}
