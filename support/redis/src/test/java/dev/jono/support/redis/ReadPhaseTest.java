package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Callbacks of answers run after the commands that follow the answers are sent. */
class ReadPhaseTest {
    private final List<String> events = new ArrayList<>();

    /** Sends a command for each answer, and has a step to run afterwards. */
    private final class Sender extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object answer) {
            context.writeAndFlush("after " + answer);
            boolean deferred = ReadPhase.runAfterRead(() -> events.add("step, sent "
                    + ((EmbeddedChannel) context.channel()).outboundMessages().size()));
            events.add(deferred ? "deferred" : "not deferred");
        }
    }

    @Test
    void stepsRunAfterAllFollowingCommandsAreSent() {
        EmbeddedChannel channel =
                new EmbeddedChannel(new ReadPhase(), new FlushConsolidationHandler(64, true), new Sender());
        channel.writeInbound("a", "b");
        assertThat(events).containsExactly("deferred", "deferred", "step, sent 2", "step, sent 2");
        assertThat(channel.finish()).isTrue();
    }

    @Test
    void nothingIsDeferredOutsideOfReading() {
        assertThat(ReadPhase.runAfterRead(() -> events.add("step"))).isFalse();
        EmbeddedChannel channel = new EmbeddedChannel(new ReadPhase());
        channel.writeInbound("a");
        assertThat(ReadPhase.runAfterRead(() -> events.add("step"))).isFalse();
        assertThat(events).isEmpty();
        channel.finishAndReleaseAll();
    }
}
