package dev.jono.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Free ports of this host. */
final class Ports {
    // Below the range from which Linux takes ports for outgoing connections. Otherwise a client that reconnects to a
    // stopped server could get the server's port as its own, connect to itself, and block the restart of the server.
    private static final int FIRST = 15_000;
    private static final int LAST = 32_000;

    private Ports() {}

    /** A port on which no process listens at present. */
    static int free() {
        for (int i = 0; i < 1_000; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return port;
            } catch (IOException taken) {
                // try another one
            }
        }
        throw new IllegalStateException("no free port between " + FIRST + " and " + LAST);
    }
}
