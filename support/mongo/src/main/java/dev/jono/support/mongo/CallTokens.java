package dev.jono.support.mongo;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Names of calls as numbers. */
public final class CallTokens {
    private CallTokens() {}

    /** A call's name as 64 bits: the same for the same name, and most unlikely for another. */
    public static long hash(String token) {
        return hash(token.getBytes(StandardCharsets.UTF_8));
    }

    /** The first 64 bits of a digest. */
    static long hash(byte[] bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
