package dev.jono.support.redis;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.RejectedExecutionException;

/**
 * Tells whether a thread reads replies. While it does, what it sends is held back until all that has come is read
 * ({@link io.netty.handler.flush.FlushConsolidationHandler}, which stands behind this one).
 */
final class ReadPhase extends ChannelInboundHandlerAdapter {
    private static final FastThreadLocal<EventExecutor> READING = new FastThreadLocal<>();

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        READING.set(context.executor());
        super.channelRead(context, message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        READING.remove();
        super.channelReadComplete(context);
    }

    /** Runs a step when this thread has read what has come, and sent what it held back; false if it reads nothing. */
    static boolean runAfterRead(Runnable step) {
        EventExecutor executor = READING.get();
        if (executor == null) {
            return false;
        }
        try {
            executor.execute(step);
            return true;
        } catch (RejectedExecutionException closing) {
            return false;
        }
    }
}
