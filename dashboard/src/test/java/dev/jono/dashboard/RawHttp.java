package dev.jono.dashboard;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Sends requests as they stand, also those that no client would send. */
final class RawHttp {
    private static final int TIMEOUT_MILLIS = 10_000;

    /** The status, 0 if the connection was closed without an answer, and the whole text. */
    record Reply(int status, String text) {}

    private RawHttp() {}

    static Reply send(int port, String method, String target, Map<String, String> headers, String body) {
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
        if (!headers.containsKey("Host")) {
            request.append("Host: 127.0.0.1:").append(port).append("\r\n");
        }
        headers.forEach((name, value) -> {
            if (!name.equals("Host") || !value.isEmpty()) {
                request.append(name).append(": ").append(value).append("\r\n");
            }
        });
        if (!headers.containsKey("Content-Length") && !headers.containsKey("Transfer-Encoding")) {
            request.append("Content-Length: ")
                    .append(body.getBytes(StandardCharsets.UTF_8).length)
                    .append("\r\n");
        }
        return send(port, request + "Connection: close\r\n\r\n" + body);
    }

    static Reply send(int port, String request) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            try {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            } catch (SocketException refusedEarly) {
                // The server has answered before it read all.
            }
            String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Reply(text.length() < 12 ? 0 : Integer.parseInt(text.substring(9, 12)), text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
