package dev.jono.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.JonoException;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/**
 * One storage and two clients.
 *
 * @param raw the client whose network can be cut
 * @param sure the client whose network is never cut
 */
public record CutLink(TcpProxy proxy, RawBackend raw, RawBackend sure) implements AutoCloseable {
    /** The positions in the replies to a call at which the network is cut. */
    private static final List<Double> PARTS = List.of(0.0, 0.3, 0.6, 0.75, 0.9);

    /**
     * Opens both clients on the same queues.
     *
     * @param raw the URL through the proxy
     * @param sure the URL without the proxy
     */
    public static CutLink open(TcpProxy proxy, String raw, String sure) {
        return new CutLink(proxy, RawBackend.open(raw), RawBackend.open(sure));
    }

    /** Makes the call once per position, cuts its reply there, and repeats the call until it is answered. */
    public void each(String what, Supplier<Runnable> prepared) {
        prepared.get().run(); // which also creates what the queue needs
        Runnable measured = prepared.get();
        long before = proxy.replyBytes();
        measured.run();
        long whole = proxy.replyBytes() - before;
        PARTS.forEach(part -> cut(what, prepared, (long) (whole * part)));
    }

    /**
     * The driver's monitoring also passes the proxy, and may be part of the measured length: if nothing was cut, cuts
     * earlier.
     */
    private void cut(String what, Supplier<Runnable> prepared, long replyBytes) {
        long cuts = proxy.cuts();
        long at = replyBytes;
        while (true) {
            Runnable call = prepared.get();
            proxy.cutReplyAfter(at);
            call.run();
            proxy.cutReplyAfter(Long.MAX_VALUE);
            if (proxy.cuts() > cuts || at == 0) {
                break;
            }
            at /= 2;
        }
        assertThat(proxy.cuts())
                .as("cuts of %s after %d bytes", what, replyBytes)
                .isGreaterThan(cuts);
    }

    /** Repeats a call with the same token, as the engine does. */
    public static <R> R answered(Supplier<R> call) {
        List<R> answers = new ArrayList<>();
        Awaitility.await("an answer")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(20))
                .ignoreExceptionsInstanceOf(JonoException.class)
                .until(() -> answers.add(call.get()));
        return answers.get(0);
    }

    @Override
    public void close() {
        raw.close();
        sure.close();
        proxy.close();
    }
}
