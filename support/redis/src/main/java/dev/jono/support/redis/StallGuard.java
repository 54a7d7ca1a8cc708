package dev.jono.support.redis;

import dev.jono.JonoClock;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel handler that closes a connection on which a command has had no answer for the timeout. On a network that drops
 * packets such a connection would stay half-open for many minutes. Lettuce then connects again. All methods run on the
 * channel's thread.
 */
final class StallGuard extends ChannelDuplexHandler {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono");

    private final JonoClock clock;
    private final long timeoutNanos;
    private @Nullable ScheduledFuture<?> check;
    private boolean waiting;
    private long sentNanos;

    StallGuard(JonoClock clock, long timeoutNanos) {
        this.clock = clock;
        this.timeoutNanos = timeoutNanos;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        long period = Math.max(1, timeoutNanos / 2);
        check = context.executor().scheduleAtFixedRate(() -> check(context), period, period, TimeUnit.NANOSECONDS);
        super.channelActive(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        if (check != null) {
            check.cancel(false);
        }
        super.channelInactive(context);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (!waiting) {
            waiting = true;
            sentNanos = clock.nanos();
        }
        super.write(context, message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        waiting = false;
        super.channelRead(context, message);
    }

    private void check(ChannelHandlerContext context) {
        if (waiting && clock.nanos() - sentNanos > timeoutNanos) {
            LOG.warn("Redis at {} is silent: reconnecting", context.channel().remoteAddress());
            context.close();
        }
    }
}
