package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Where {@code push} gets its payloads: the command line, or lines. Not thread-safe. */
abstract class PayloadSource {
    private static final int MAX_LINE = 64 << 20;

    private final PayloadKind kind;

    private PayloadSource(PayloadKind kind) {
        this.kind = kind;
    }

    /** The words of a command line. */
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

    /** Lines, one payload each. */
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

    /** Goes to the next payload; false at the end. May wait for input. */
    abstract boolean advance() throws IOException;

    /** The bytes that it is written with. */
    abstract byte[] current();

    /** Whether the next can be had without waiting. */
    abstract boolean ready() throws IOException;

    /** How much of the input was read. */
    abstract long bytesRead();

    /** How a person finds the payload of this number, from 1. */
    abstract String place(long number);

    /**
     * The payload.
     *
     * @param number its number, from 1, for the error
     * @throws CliException if it is not what it should be
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
     * A JSON or string payload, which is what it is to be.
     *
     * @param place where it was found, for the error
     */
    static EncodedPayload text(String place, PayloadKind kind, byte[] bytes) {
        Optional<String> text = Json.utf8(bytes);
        if (kind == PayloadKind.STRING) {
            if (text.isEmpty()) {
                throw CliException.error(place + " is not UTF-8 text (see --as bytes)");
            }
            return EncodedPayload.of(kind, bytes);
        }
        if (text.filter(t -> t.strip().equals("null")).isPresent()) {
            throw CliException.error(place + " is null, which cannot be a payload");
        }
        String fault = text.map(t -> Json.fault(t).orElse("")).orElse("it is not UTF-8");
        if (!fault.isEmpty()) {
            throw CliException.error(place + " is not a JSON value: " + fault + " (text is written with --as string)");
        }
        return EncodedPayload.of(kind, bytes);
    }
}
