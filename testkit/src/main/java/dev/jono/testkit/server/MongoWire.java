package dev.jono.testkit.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection to MongoDB that sends commands and reads replies. Documents are ordered maps of strings, integers,
 * longs, doubles, booleans, lists, maps and null. Values of other types in a reply are read as null. Not thread-safe.
 */
final class MongoWire implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int MESSAGE = 2013;
    private static final int HEADER = 16;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final OutputStream out;

    MongoWire(String host, int port) throws IOException {
        try {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            in = new DataInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        } catch (IOException failure) {
            socket.close();
            throw failure;
        }
    }

    /** Sends a command and returns the reply, which may be an error. */
    Map<String, @Nullable Object> call(String database, Map<String, ?> command) throws IOException {
        Map<String, Object> whole = new LinkedHashMap<>(command);
        whole.put("$db", database);
        byte[] body = document(whole);
        int size = HEADER + 5 + body.length;
        out.write(little(HEADER + 5)
                .putInt(size)
                .putInt(1)
                .putInt(0)
                .putInt(MESSAGE)
                .putInt(0)
                .put((byte) 0)
                .array());
        out.write(body);
        out.flush();
        byte[] header = in.readNBytes(HEADER);
        if (header.length < HEADER) {
            throw new IOException("the connection ended before a reply");
        }
        int length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt();
        byte[] reply = in.readNBytes(length - HEADER);
        ByteBuffer rest = ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN);
        rest.getInt(); // flags
        rest.get(); // kind of section
        return readDocument(rest);
    }

    private static ByteBuffer little(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] document(Map<String, ?> fields) throws IOException {
        ByteArrayOutputStream elements = new ByteArrayOutputStream();
        for (Map.Entry<String, ?> field : fields.entrySet()) {
            element(elements, field.getKey(), field.getValue());
        }
        byte[] bytes = elements.toByteArray();
        return little(bytes.length + 5)
                .putInt(bytes.length + 5)
                .put(bytes)
                .put((byte) 0)
                .array();
    }

    private static void element(ByteArrayOutputStream to, String name, @Nullable Object value) throws IOException {
        if (value == null) {
            head(to, 10, name);
        } else if (value instanceof String text) {
            head(to, 2, name);
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            to.write(little(utf8.length + 5)
                    .putInt(utf8.length + 1)
                    .put(utf8)
                    .put((byte) 0)
                    .array());
        } else if (value instanceof Integer number) {
            head(to, 16, name);
            to.write(little(4).putInt(number).array());
        } else if (value instanceof Long number) {
            head(to, 18, name);
            to.write(little(8).putLong(number).array());
        } else if (value instanceof Double number) {
            head(to, 1, name);
            to.write(little(8).putDouble(number).array());
        } else if (value instanceof Boolean flag) {
            head(to, 8, name);
            to.write(flag ? 1 : 0);
        } else if (value instanceof Map<?, ?> fields) {
            head(to, 3, name);
            to.write(document(named(fields)));
        } else if (value instanceof List<?> items) {
            head(to, 4, name);
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            items.forEach(item -> fields.put(Integer.toString(fields.size()), item));
            to.write(document(fields));
        } else {
            throw new IllegalArgumentException("a command cannot hold " + value.getClass());
        }
    }

    private static Map<String, @Nullable Object> named(Map<?, ?> fields) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        fields.forEach((name, value) -> named.put(String.valueOf(name), value));
        return named;
    }

    private static void head(ByteArrayOutputStream to, int type, String name) throws IOException {
        to.write(type);
        to.write(name.getBytes(StandardCharsets.UTF_8));
        to.write(0);
    }

    private static Map<String, @Nullable Object> readDocument(ByteBuffer from) throws IOException {
        int end = from.position() + from.getInt() - 1;
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (from.position() < end) {
            int type = from.get();
            fields.put(name(from), value(from, type));
        }
        from.get();
        return fields;
    }

    private static @Nullable Object value(ByteBuffer from, int type) throws IOException {
        return switch (type) {
            case 1 -> from.getDouble();
            case 2 -> text(from);
            case 3 -> readDocument(from);
            case 4 -> list(readDocument(from));
            case 5 -> skip(from, from.getInt() + 1);
            case 6, 10 -> null;
            case 7 -> skip(from, 12);
            case 8 -> from.get() != 0;
            case 9, 17, 18 -> from.getLong();
            case 16 -> from.getInt();
            case 19 -> skip(from, 16);
            default -> throw new IOException("a reply holds BSON of type " + type);
        };
    }

    private static List<@Nullable Object> list(Map<String, @Nullable Object> fields) {
        List<@Nullable Object> items = new ArrayList<>();
        for (Iterator<@Nullable Object> each = fields.values().iterator(); each.hasNext(); ) {
            items.add(each.next());
        }
        return items;
    }

    private static @Nullable Object skip(ByteBuffer from, int bytes) {
        from.position(from.position() + bytes);
        return null;
    }

    private static String text(ByteBuffer from) {
        byte[] utf8 = new byte[from.getInt() - 1];
        from.get(utf8);
        from.get();
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static String name(ByteBuffer from) {
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        for (byte b = from.get(); b != 0; b = from.get()) {
            name.write(b);
        }
        return name.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
