package dev.jono.support.mongo;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Turns the tokens of calls into numbers. */
public final class CallTokens {
    private CallTokens() {}

    /** A token as 64 bits. Two tokens have the same number with negligible probability. */
    public static long hash(String token) {
        return hash(token.getBytes(StandardCharsets.UTF_8));
    }

    /** The first 64 bits of the SHA-256 digest. */
    static long hash(byte[] bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
