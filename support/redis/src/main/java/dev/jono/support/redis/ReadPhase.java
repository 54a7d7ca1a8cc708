package dev.jono.support.redis;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.RejectedExecutionException;

/**
 * A channel handler that knows whether the current thread reads replies. While it does, {@link
 * io.netty.handler.flush.FlushConsolidationHandler}, the next handler, holds back what the thread sends. It sends all of it
 * when everything that has arrived is read.
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

    /**
     * Runs a step on this thread after it has read what has arrived and sent what was held back. Returns false, and does
     * nothing, if this thread is not reading.
     */
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
