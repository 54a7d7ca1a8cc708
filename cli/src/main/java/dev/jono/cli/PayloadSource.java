package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The payloads of {@code push}, from the command line or from lines of input. Not thread-safe. */
abstract class PayloadSource {
    private static final int MAX_LINE = 64 << 20;

    private final PayloadKind kind;

    private PayloadSource(PayloadKind kind) {
        this.kind = kind;
    }

    /** Payloads from the command line. */
    static PayloadSource words(List<String> words, PayloadKind kind) {
        return new PayloadSource(kind) {
            private int next;

            @Override
            boolean advance() {
                return next++ < words.size();
            }

            @Override
            byte[] current() {
                return words.get(next - 1).getBytes(StandardCharsets.UTF_8);
            }

            @Override
            boolean ready() {
                return next < words.size();
            }

            @Override
            long bytesRead() {
                return 0;
            }

            @Override
            String place(long number) {
                return "payload " + number;
            }
        };
    }

    /** Payloads from lines, one per line. */
    static PayloadSource lines(java.io.InputStream in, PayloadKind kind) {
        LineReader reader = new LineReader(in, MAX_LINE);
        return new PayloadSource(kind) {
            @Override
            boolean advance() throws IOException {
                return reader.advance();
            }

            @Override
            byte[] current() {
                return reader.line();
            }

            @Override
            boolean ready() throws IOException {
                return reader.ready();
            }

            @Override
            long bytesRead() {
                return reader.bytesRead();
            }

            @Override
            String place(long number) {
                return "line " + number;
            }
        };
    }

    /** Reads the next payload, and returns false at the end. May wait for input. */
    abstract boolean advance() throws IOException;

    /** The bytes of the payload as they were read. */
    abstract byte[] current();

    /** Whether the next payload is available without waiting. */
    abstract boolean ready() throws IOException;

    /** The number of bytes read so far. */
    abstract long bytesRead();

    /** Describes where the payload of this number, from 1, is in the input. */
    abstract String place(long number);

    /**
     * Decodes the payload.
     *
     * @param number the number of the payload, from 1, for the error message
     * @throws CliException if it is not of the expected kind
     */
    final EncodedPayload payload(long number) {
        byte[] bytes = current();
        if (kind != PayloadKind.BYTES) {
            return text(place(number), kind, bytes);
        }
        try {
            return EncodedPayload.of(kind, Base64.getDecoder().decode(bytes));
        } catch (IllegalArgumentException e) {
            throw CliException.error(place(number) + " is not base64: " + e.getMessage(), e);
        }
    }

    /**
     * Checks a JSON or string payload.
     *
     * @param place where the payload is in the input, for the error message
     */
    static EncodedPayload text(String place, PayloadKind kind, byte[] bytes) {
        Optional<String> text = Json.utf8(bytes);
        if (kind == PayloadKind.STRING) {
            if (text.isEmpty()) {
                throw CliException.error(place + " is not UTF-8 text; use --as bytes for other bytes");
            }
            return EncodedPayload.of(kind, bytes);
        }
        if (text.filter(t -> t.strip().equals("null")).isPresent()) {
            throw CliException.error(place + " is null, which is not allowed as a payload");
        }
        String fault = text.map(t -> Json.fault(t).orElse("")).orElse("it is not UTF-8");
        if (!fault.isEmpty()) {
            throw CliException.error(place + " is not a JSON value: " + fault + "; use --as string for text");
        }
        return EncodedPayload.of(kind, bytes);
    }
}
