package dev.jono.dashboard.internal.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.dashboard.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request: its path as decoded segments, its parameters and its body. Used by one thread. */
public final class Request {
    /** The largest body, in bytes: a payload of 1 MiB as JSON text, and some room. */
    private static final int MAX_BODY = 8 << 20;

    private static final int MAX_URL = 8192;
    private static final int MAX_SEGMENTS = 8;

    private final Exchange exchange;
    private final List<String> segments;
    private final Parameters query;
    private byte @Nullable [] body;

    public Request(Exchange exchange) {
        this.exchange = exchange;
        String path = exchange.path();
        String encoded = exchange.query();
        if (path.length() + (encoded == null ? 0 : encoded.length()) > MAX_URL) {
            throw new ProblemException(414, "the URL is longer than " + MAX_URL + " characters");
        }
        this.segments = segments(path);
        this.query = Parameters.parse(encoded);
    }

    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        if (path.length() > 1) {
            for (String segment : path.substring(1).split("/", -1)) {
                segments.add(UrlText.ofSegment(segment));
            }
        }
        if (segments.size() > MAX_SEGMENTS) {
            throw ProblemException.missing("there is no such page");
        }
        return segments;
    }

    /** The method. {@code HEAD} is answered as {@code GET}, without the body. */
    public String method() {
        return isHead() ? "GET" : exchange.method();
    }

    /** Whether the method is {@code HEAD}. */
    public boolean isHead() {
        return exchange.method().equals("HEAD");
    }

    /** The decoded segments of the path. */
    public List<String> segments() {
        return segments;
    }

    /** The parameters behind the question mark. */
    public Parameters query() {
        return query;
    }

    /** A header; null if there is none. */
    public @Nullable String header(String name) {
        return exchange.header(name);
    }

    /** The name of the user; null if nobody is authenticated. */
    public @Nullable String user() {
        return exchange.user();
    }

    /** Who makes this request, for the log. */
    public String who() {
        String user = user();
        return (user == null ? "somebody" : "'" + user + "'") + " at " + exchange.client();
    }

    /** The parameters of the form in the body. */
    public Parameters form() {
        requireType("application/x-www-form-urlencoded");
        return Parameters.parse(new String(body(), StandardCharsets.UTF_8));
    }

    /** Whether there is no body. */
    public boolean isEmpty() {
        return body().length == 0;
    }

    /** The JSON in the body. */
    public JsonNode json() {
        requireType("application/json");
        if (body().length == 0) {
            throw ProblemException.bad("the body is empty; JSON is expected");
        }
        try {
            return Json.read(body());
        } catch (JsonProcessingException e) {
            throw ProblemException.bad("the body is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw ProblemException.bad("the body is not JSON");
        }
    }

    private void requireType(String type) {
        String given = header("Content-Type");
        String plain = given == null ? "" : given.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!plain.equals(type)) {
            throw new ProblemException(415, "the body must be " + type);
        }
    }

    /**
     * Reads a body that was not needed, for example that of a refused request. A server must read it, or else close the
     * connection, on which the client may have sent its next request already (RFC 9112, section 9.3).
     */
    public void skipBody() {
        try {
            body();
        } catch (ProblemException unreadable) {
            // The answer is known; the server closes the connection.
        }
    }

    private byte[] body() {
        byte[] known = body;
        if (known == null) {
            known = read();
            body = known;
        }
        return known;
    }

    private byte[] read() {
        try (InputStream in = exchange.body()) {
            byte[] bytes = in.readNBytes(MAX_BODY + 1);
            if (bytes.length > MAX_BODY) {
                throw new ProblemException(413, "the body is larger than " + MAX_BODY + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw ProblemException.bad("the body could not be read");
        }
    }
}
