package dev.jono.support.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A Lua script, and the digest by which Redis finds it after the first run. Immutable. */
public final class Script {
    private final String name;
    private final boolean mutating;
    private final byte[] body;
    private final String digest;

    private Script(String name, boolean mutating, byte[] body) {
        this.name = name;
        this.mutating = mutating;
        this.body = body;
        this.digest = sha1(body);
    }

    /**
     * A script of these texts, joined in order.
     *
     * @param name the operation, for exception messages
     * @param mutating whether the script may change something
     */
    public static Script of(String name, boolean mutating, String... texts) {
        return new Script(name, mutating, String.join("\n", texts).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads the text of a script, and closes the stream. Each module opens its own resources, because a module cannot read those
     * of another.
     *
     * @param stream the resource; null if it is missing
     * @param file its name, for the exception message
     */
    public static String read(@Nullable InputStream stream, String file) {
        if (stream == null) {
            throw new IllegalStateException(file + " is missing from the jar");
        }
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The operation, for exception messages. */
    public String name() {
        return name;
    }

    boolean mutating() {
        return mutating;
    }

    byte[] body() {
        return body;
    }

    String digest() {
        return digest;
    }
}
