package dev.jono.testkit.server;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy between clients and a server, which cuts, stalls or delays connections as a test demands. It forwards
 * everything by default. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
    private static final long NEVER = Long.MIN_VALUE;

    private volatile InetSocketAddress target;
    private final int port;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicLong cuts = new AtomicLong();
    private final AtomicLong replyBytes = new AtomicLong();
    private volatile boolean stalled;
    private volatile long delayNanos;

    @GuardedBy("lock") private @Nullable ServerSocket listener;

    @GuardedBy("lock") private @Nullable Thread acceptor;

    /** How many more bytes of replies pass before the connection of the next byte is cut. */
    @GuardedBy("lock") private long replyBytesLeft = NEVER;

    private TcpProxy(InetSocketAddress target) {
        this.target = target;
        this.port = Ports.free();
        accept();
    }

    /** Starts a proxy in front of a server. */
    public static TcpProxy to(String host, int port) {
        return new TcpProxy(new InetSocketAddress(host, port));
    }

    /** Forwards new connections to another server. Existing connections stay with theirs. */
    public void leadTo(String host, int port) {
        target = new InetSocketAddress(host, port);
    }

    /** The port to which clients connect, on the loopback address. */
    public int port() {
        return port;
    }

    /** The number of open connections. */
    public int connections() {
        return links.size();
    }

    /** The number of connections that {@link #cutReplyAfter} has cut so far. */
    public long cuts() {
        return cuts.get();
    }

    /** The number of bytes of replies that have passed so far, over all connections, including those being written. */
    public long replyBytes() {
        return replyBytes.get();
    }

    /**
     * Lets this many more bytes of replies pass, over all connections together, and then cuts the connection of the
     * next byte, once. With 0 the server executes the next request, and its answer never arrives.
     */
    public void cutReplyAfter(long bytes) {
        lock.lock();
        try {
            replyBytesLeft = bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Stops reading from both sides: sent data piles up, and no answer arrives. */
    public void stall() {
        stalled = true;
    }

    /** Ends {@link #stall}, and forwards what has piled up. */
    public void flow() {
        stalled = false;
        wakeStalled();
    }

    /**
     * Freezes the existing connections: nothing passes, and none is closed, as if the other side had lost its network.
     * New connections pass.
     */
    public void freeze() {
        links.forEach(link -> link.frozen = true);
    }

    /** Ends {@link #freeze}: held data arrives late, even from a client that has closed its side meanwhile. */
    public void thaw() {
        links.forEach(link -> link.frozen = false);
        wakeStalled();
    }

    /** Delays data by this time in both directions; zero ends the delay. */
    public void delay(Duration time) {
        delayNanos = time.toNanos();
    }

    /** Cuts all connections. */
    public void cutAll() {
        links.forEach(Link::close);
    }

    /** Stops listening, so that new connections are refused. Existing connections stay. */
    public void refuse() {
        Thread accepting;
        lock.lock();
        try {
            if (listener == null) {
                return;
            }
            close(listener);
            listener = null;
            accepting = acceptor;
        } finally {
            lock.unlock();
        }
        // The system listens until no thread waits in accept.
        boolean interrupted = false;
        while (accepting != null && accepting.isAlive()) {
            try {
                accepting.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends {@link #refuse}. */
    public void accept() {
        ServerSocket socket;
        lock.lock();
        try {
            if (listener != null) {
                return;
            }
            socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            listener = socket;
            acceptor = run("accept", () -> acceptAll(socket));
        } catch (IOException e) {
            throw new UncheckedIOException("the proxy cannot listen on port " + port, e);
        } finally {
            lock.unlock();
        }
    }

    private void wakeStalled() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void acceptAll(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                connect(client);
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        InetSocketAddress to = target;
        try {
            Link link = new Link(client, new Socket(to.getAddress(), to.getPort()));
            links.add(link);
            run("requests", () -> pump(link, link.client, link.server, false));
            run("replies", () -> pump(link, link.server, link.client, true));
        } catch (IOException serverAway) {
            close(client);
        }
    }

    @CanIgnoreReturnValue
    private static Thread run(String what, Runnable task) {
        Thread thread = new Thread(task, "testkit-proxy-" + what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void pump(Link link, Socket from, Socket to, boolean replies) {
        byte[] buffer = new byte[16 * 1024];
        try (link) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            while (true) {
                awaitFlow(link);
                int read = in.read(buffer);
                if (read < 0) {
                    return;
                }
                awaitFlow(link);
                awaitDelay();
                int passing = replies ? allowed(read) : read;
                if (replies) {
                    replyBytes.addAndGet(passing); // before the receiver can ask for the count
                }
                out.write(buffer, 0, passing);
                if (passing < read) {
                    cuts.incrementAndGet();
                    return;
                }
            }
        } catch (IOException ended) {
            // Closed by one side or by the test; closing the link tells the other side.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int allowed(int read) {
        lock.lock();
        try {
            if (replyBytesLeft == NEVER) {
                return read;
            }
            if (replyBytesLeft >= read) {
                replyBytesLeft -= read;
                return read;
            }
            int passing = (int) replyBytesLeft;
            replyBytesLeft = NEVER;
            return passing;
        } finally {
            lock.unlock();
        }
    }

    private void awaitFlow(Link link) throws InterruptedException {
        lock.lock();
        try {
            while ((stalled || link.frozen) && links.contains(link)) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitDelay() throws InterruptedException {
        lock.lock();
        try {
            long left = delayNanos;
            while (left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void close(java.io.Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close a socket of the proxy", e);
        }
    }

    /** Closes all connections and stops the proxy. */
    @Override
    public void close() {
        refuse();
        cutAll();
    }

    /** A client's connection, and the connection to the server that belongs to it. */
    private final class Link implements java.io.Closeable {
        private final Socket client;
        private final Socket server;
        private volatile boolean frozen;

        Link(Socket client, Socket server) throws SocketException {
            this.client = client;
            this.server = server;
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        }

        @Override
        public void close() {
            links.remove(this);
            TcpProxy.close(client);
            TcpProxy.close(server);
            wakeStalled();
        }
    }
}
