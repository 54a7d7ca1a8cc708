package dev.jono.dashboard.internal.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer: a status, headers, and a body that is known or written as a stream. Immutable. */
public final class Answer {
    /** Writes the body of a stream. */
    @FunctionalInterface
    public interface Stream {
        void writeTo(OutputStream out) throws IOException;
    }

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;
    private final @Nullable Stream stream;

    private Answer(int status, Map<String, String> headers, byte[] body, @Nullable Stream stream) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.stream = stream;
    }

    public static Answer of(int status, String type, byte[] body) {
        return new Answer(status, Map.of("Content-Type", type), body, null);
    }

    public static Answer html(int status, String text) {
        return of(status, "text/html; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer json(Object value) {
        return json(200, value);
    }

    public static Answer json(int status, Object value) {
        return of(status, "application/json", Json.write(value));
    }

    public static Answer nothing() {
        return new Answer(204, Map.of(), new byte[0], null);
    }

    /** Sends the browser to another page with GET. The URL may be relative to that of the request. */
    public static Answer redirect(int status, String url) {
        return new Answer(status, Map.of("Location", url), new byte[0], null);
    }

    public static Answer stream(String type, Stream stream) {
        return new Answer(200, Map.of("Content-Type", type), new byte[0], stream);
    }

    public Answer with(String header, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(header, value);
        return new Answer(status, all, body, stream);
    }

    public int status() {
        return status;
    }

    public Map<String, String> headers() {
        return headers;
    }

    public byte[] body() {
        return body;
    }

    /** Writes the body; null if the body is known. */
    public @Nullable Stream stream() {
        return stream;
    }
}
