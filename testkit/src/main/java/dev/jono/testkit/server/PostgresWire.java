package dev.jono.testkit.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to PostgreSQL that sends statements as text, and reads the first column of their results. It knows no
 * authentication but {@code trust}. Not thread-safe.
 */
final class PostgresWire implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int PROTOCOL_3 = 3 << 16;
    private static final int AUTHENTICATION = 'R';
    private static final int DATA_ROW = 'D';
    private static final int ERROR = 'E';
    private static final int READY = 'Z';
    private static final int QUERY = 'Q';

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final DataOutputStream out;

    /**
     * Connects and logs in.
     *
     * @throws IOException if the server does not answer, refuses the user, or asks for a password
     */
    PostgresWire(String host, int port, String user, String database) throws IOException {
        try {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
            logIn(user, database);
        } catch (IOException failure) {
            socket.close();
            throw failure;
        }
    }

    private void logIn(String user, String database) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        new DataOutputStream(body).writeInt(PROTOCOL_3);
        for (String text : List.of("user", user, "database", database)) {
            body.write(text.getBytes(StandardCharsets.UTF_8));
            body.write(0);
        }
        body.write(0);
        out.writeInt(Integer.BYTES + body.size());
        body.writeTo(out);
        out.flush();
        readUntilReady();
    }

    /** Runs one statement or several; returns the first column of all rows, as text. */
    List<@Nullable String> query(String sql) throws IOException {
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        out.write(QUERY);
        out.writeInt(Integer.BYTES + text.length + 1);
        out.write(text);
        out.write(0);
        out.flush();
        return readUntilReady();
    }

    private List<@Nullable String> readUntilReady() throws IOException {
        List<@Nullable String> found = new ArrayList<>();
        String error = null;
        while (true) {
            int kind = in.readUnsignedByte();
            byte[] body = new byte[in.readInt() - Integer.BYTES];
            in.readFully(body);
            if (kind == READY) {
                if (error != null) {
                    throw new IOException(error);
                }
                return found;
            } else if (kind == DATA_ROW) {
                found.add(firstColumn(body));
            } else if (kind == ERROR) {
                error = message(body);
                if (error.startsWith("FATAL")) {
                    throw new IOException(error);
                }
            } else if (kind == AUTHENTICATION && number(body, 0) != 0) {
                throw new IOException("the server asks for a password");
            }
        }
    }

    private static @Nullable String firstColumn(byte[] row) {
        int length = number(row, 2);
        return length < 0 ? null : new String(row, 2 + Integer.BYTES, length, StandardCharsets.UTF_8);
    }

    /** The severity and the text of an error, whose fields begin with a letter and end with a zero byte. */
    private static String message(byte[] body) {
        String severity = "";
        String text = "";
        for (String field : new String(body, StandardCharsets.UTF_8).split("\0", -1)) {
            if (field.startsWith("V")) {
                severity = field.substring(1);
            } else if (field.startsWith("M")) {
                text = field.substring(1);
            }
        }
        return severity + ": " + text;
    }

    private static int number(byte[] bytes, int at) {
        int value = 0;
        for (int i = at; i < at + Integer.BYTES; i++) {
            value = value << 8 | (bytes[i] & 0xff);
        }
        return value;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
