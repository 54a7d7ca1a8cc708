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
 * @param raw its network can be cut
 * @param sure and this one's not
 */
public record CutLink(TcpProxy proxy, RawBackend raw, RawBackend sure) implements AutoCloseable {
    /** The first byte of the replies to a call, and some behind it. */
    private static final List<Double> PARTS = List.of(0.0, 0.3, 0.6, 0.75, 0.9);

    /**
     * Opens both on the same queues.
     *
     * @param raw the URL of a backend through the proxy
     * @param sure and not through it
     */
    public static CutLink open(TcpProxy proxy, String raw, String sure) {
        return new CutLink(proxy, RawBackend.open(raw), RawBackend.open(sure));
    }

    /** The call, cut off at each of the parts of its replies and then repeated until it is answered. */
    public void each(String what, Supplier<Runnable> prepared) {
        prepared.get().run(); // which also creates what the queue needs
        Runnable measured = prepared.get();
        long before = proxy.replyBytes();
        measured.run();
        long whole = proxy.replyBytes() - before;
        PARTS.forEach(part -> cut(what, prepared, (long) (whole * part)));
    }

    /** The driver's own looks at the server pass here too, and may have been measured: what was not cut is cut earlier. */
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

    /** Repeats a call as the engine does, under the same token. */
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
