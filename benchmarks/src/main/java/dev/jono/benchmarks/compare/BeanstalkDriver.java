package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient.Step;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Drives beanstalkd through its text protocol, with the commands put, reserve and delete. Its Java clients are not
 * maintained and do not pipeline. At its best, 100 commands are written before their replies are read.
 */
final class BeanstalkDriver implements Driver {
    private static final int BATCH = 100;

    private final Wire putting;
    private final Wire taking;
    private final SendWindow sends = new SendWindow(1);
    private final int port;
    private final String tube;
    private @Nullable Wire allTubes;
    private int tubes;

    BeanstalkDriver(Map<String, String> settings) throws IOException {
        this.port = Drivers.number(settings, "port", 11300);
        this.tube = Drivers.need(settings, "queue");
        this.putting = new Wire(port);
        putting.write("use " + tube + "\r\n");
        putting.line();
        this.taking = new Wire(port);
        taking.write("watch " + tube + "\r\nignore default\r\n");
        taking.line();
        taking.line();
    }

    private static int atOnce(int width) {
        return width == BEST ? BATCH : width;
    }

    @Override
    public void push(Payloads payloads, int width) throws IOException {
        int batch = atOnce(width);
        List<String> all = payloads.all();
        for (int from = 0; from < all.size(); from += batch) {
            put(all.subList(from, Math.min(from + batch, all.size())));
        }
    }

    private void put(List<String> texts) throws IOException {
        for (String text : texts) {
            putting.put(text);
        }
        for (int i = 0; i < texts.size(); i++) {
            putting.expect("INSERTED");
        }
    }

    @Override
    public void send(String text) throws Exception {
        sendAll(List.of(text));
    }

    @Override
    public void sendAll(List<String> texts) throws Exception {
        sends.blocking(texts.size(), () -> put(texts));
    }

    @Override
    public void flush() throws Exception {
        sends.await();
    }

    /** Opens one connection that watches all tubes. */
    @Override
    public void openQueues(int count) throws IOException {
        if (allTubes == null || count != tubes) {
            close(allTubes);
            allTubes = new Wire(port);
            tubes = count;
            for (int i = 0; i < count; i++) {
                allTubes.write("watch " + tube + "-" + i + "\r\n");
                allTubes.expect("WATCHING");
            }
            allTubes.write("ignore default\r\n");
            allTubes.expect("WATCHING");
        }
    }

    @Override
    public void pushToQueues(Payloads payloads, int width) throws IOException {
        for (int from = 0; from < payloads.count(); from += width) {
            int to = Math.min(from + width, payloads.count());
            for (int i = from; i < to; i++) {
                putting.write("use " + tube + "-" + i % tubes + "\r\n");
                putting.put(payloads.text(i));
            }
            for (int i = from; i < to; i++) {
                putting.expect("USING");
                putting.expect("INSERTED");
            }
        }
        putting.write("use " + tube + "\r\n");
        putting.expect("USING");
    }

    @Override
    public void takeFromQueues(Step step, TakeProgress progress, int width) throws IOException {
        take(Objects.requireNonNull(allTubes), progress, width);
    }

    @Override
    public void take(Step step, TakeProgress progress, int width) throws IOException {
        take(taking, progress, atOnce(width));
    }

    /** Waits for one job, and takes up to {@code batch} ready jobs together with it. */
    private static void take(Wire taking, TakeProgress progress, int batch) throws IOException {
        while (progress.isOpen()) {
            taking.write("reserve-with-timeout 1\r\n");
            Job first = taking.job();
            if (first == null) {
                continue;
            }
            for (int i = 1; i < batch; i++) {
                taking.write("reserve-with-timeout 0\r\n");
            }
            int held = 0;
            StringBuilder deletes = new StringBuilder();
            for (int i = 0; i < batch; i++) {
                Job job = i == 0 ? first : taking.job();
                if (job != null) {
                    progress.arrived(job.text);
                    deletes.append("delete ").append(job.id).append("\r\n");
                    held++;
                }
            }
            taking.write(deletes.toString());
            for (int i = 0; i < held; i++) {
                taking.expect("DELETED");
            }
            progress.settled(held);
        }
    }

    @Override
    public void close() throws IOException {
        sends.close();
        putting.close();
        taking.close();
        close(allTubes);
    }

    private static void close(@Nullable Wire wire) throws IOException {
        if (wire != null) {
            wire.close();
        }
    }

    private record Job(String id, String text) {}

    /** A connection to beanstalkd. */
    private static final class Wire implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        Wire(int port) throws IOException {
            this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            this.in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            this.out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
        }

        void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }

        /** Writes a put with a medium priority, no delay, and a reservation time of 60 s. */
        void put(String text) throws IOException {
            write("put 1024 0 60 " + text.length() + "\r\n" + text + "\r\n");
        }

        String line() throws IOException {
            out.flush();
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new EOFException("beanstalkd closed the connection");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        void expect(String reply) throws IOException {
            String line = line();
            if (!line.startsWith(reply)) {
                throw new IOException("beanstalkd: " + line);
            }
        }

        /** Reads the reply to a reserve; returns null if there was no job in time. */
        @Nullable Job job() throws IOException {
            String line = line();
            if (line.equals("TIMED_OUT")) {
                return null;
            }
            String[] words = line.split(" ", -1);
            if (!words[0].equals("RESERVED")) {
                throw new IOException("beanstalkd: " + line);
            }
            byte[] body = in.readNBytes(Integer.parseInt(words[2]) + 2);
            return new Job(words[1], new String(body, 0, body.length - 2, StandardCharsets.US_ASCII));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
