package dev.jono.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads lines of bytes, which end with LF, CR LF or the end of the input. Holds one line at a time. A byte order mark
 * before the first line is skipped.
 */
final class LineReader {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InputStream in;
    private final int maxBytes;
    private final byte[] buffer = new byte[1 << 16];
    private int at;
    private int end;
    private long number;
    private long bytesRead;
    private byte[] line = {};
    private boolean tooLong;

    /** Reads lines of up to {@code maxBytes} bytes. */
    LineReader(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** Reads the next line, and returns false at the end of the input. A line that is too long is not kept. */
    boolean advance() throws IOException {
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        boolean any = false;
        boolean ended = false;
        tooLong = false;
        while (at < end || fill()) {
            any = true;
            int from = at;
            int lineEnd = lineEnd();
            if (tooLong || parts.size() + lineEnd - from > maxBytes) {
                tooLong = true;
                parts = new ByteArrayOutputStream();
            } else {
                parts.write(buffer, from, lineEnd - from);
            }
            at = Math.min(end, lineEnd + 1);
            if (lineEnd < end) {
                ended = true;
                break;
            }
        }
        if (any) {
            number++;
            line = withoutCarriageReturn(parts.toByteArray());
            if (number == 1 && beginsWithMark()) {
                line = Arrays.copyOfRange(line, BYTE_ORDER_MARK.length, line.length);
                any = ended || line.length > 0;
            }
        }
        return any;
    }

    private boolean beginsWithMark() {
        int length = BYTE_ORDER_MARK.length;
        return line.length >= length && Arrays.equals(line, 0, length, BYTE_ORDER_MARK, 0, length);
    }

    private int lineEnd() {
        int i = at;
        while (i < end && buffer[i] != '\n') {
            i++;
        }
        return i;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, in.read(buffer));
        bytesRead += end;
        return end > 0;
    }

    private static byte[] withoutCarriageReturn(byte[] bytes) {
        int last = bytes.length - 1;
        return last >= 0 && bytes[last] == '\r' ? Arrays.copyOf(bytes, last) : bytes;
    }

    /**
     * The line, without its end.
     *
     * @throws CliException if it is too long
     */
    byte[] line() {
        if (tooLong) {
            throw CliException.error("line " + number + " is longer than " + maxBytes + " bytes");
        }
        return line;
    }

    /** The number of the line, from 1. */
    long number() {
        return number;
    }

    /** The number of bytes read so far. */
    long bytesRead() {
        return bytesRead;
    }

    /** Whether more input is available without waiting. */
    boolean ready() throws IOException {
        return lineEnd() < end || in.available() > 0;
    }
}
