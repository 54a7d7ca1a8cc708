package dev.jono.backend.redisoq;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A self-signed certificate, created with the JDK's keytool.
 *
 * @param pem the certificate
 * @param key its private key
 * @param trust a trust store that contains it
 */
record Certificate(Path pem, Path key, Path trust) {
    static final String PASSWORD = "changeit";

    /** Creates a certificate for a host name, in a folder. */
    static Certificate make(Path folder, String host)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path store = folder.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        "redis",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + host,
                        "-ext",
                        "SAN=dns:" + host,
                        "-validity",
                        "2")
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), US_ASCII);
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + output);
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new Certificate(
                pem(
                        folder.resolve("server.crt"),
                        "CERTIFICATE",
                        keys.getCertificate("redis").getEncoded()),
                pem(
                        folder.resolve("server.key"),
                        "PRIVATE KEY",
                        keys.getKey("redis", PASSWORD.toCharArray()).getEncoded()),
                trusting(folder.resolve("trust.p12"), keys.getCertificate("redis")));
    }

    private static Path pem(Path file, String what, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    private static Path trusting(Path file, java.security.cert.Certificate certificate)
            throws IOException, GeneralSecurityException {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("redis", certificate);
        try (var out = Files.newOutputStream(file)) {
            trust.store(out, PASSWORD.toCharArray());
        }
        return file;
    }
}
