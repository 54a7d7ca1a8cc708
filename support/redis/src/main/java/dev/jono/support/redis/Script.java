package dev.jono.support.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua script, and the digest by which Redis knows it once it has seen it. */
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
     * A script of these texts, one behind the other.
     *
     * @param name for messages: what it does
     * @param mutating whether it may change something
     */
    public static Script of(String name, boolean mutating, String... texts) {
        return new Script(name, mutating, String.join("\n", texts).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The text of a script, from a stream that is closed. Modules open their resources themselves: those of another
     * module are out of reach.
     */
    public static String read(InputStream stream) {
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

    /** What it does, for messages. */
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
