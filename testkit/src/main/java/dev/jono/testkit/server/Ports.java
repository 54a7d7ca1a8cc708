package dev.jono.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Free ports of this host. */
final class Ports {
    // Below what Linux gives to outgoing connections: else, while a server is down, a client that tries to reconnect
    // may be given the very port as its own, meet itself, and keep the server from coming back.
    private static final int FIRST = 15_000;
    private static final int LAST = 32_000;

    private Ports() {}

    /** A port that nobody listens on just now. */
    static int free() {
        for (int i = 0; i < 1_000; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return port;
            } catch (IOException taken) {
                // the next one, then
            }
        }
        throw new IllegalStateException("no free port between " + FIRST + " and " + LAST);
    }
}
