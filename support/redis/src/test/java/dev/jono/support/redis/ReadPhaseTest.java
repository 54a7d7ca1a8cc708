package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an answer brings is dealt with behind the sending of what follows it. */
class ReadPhaseTest {
    private final List<String> events = new ArrayList<>();

    /** Sends something for each answer, and has a step to do behind. */
    private final class Sender extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object answer) {
            context.writeAndFlush("behind " + answer);
            boolean deferred = ReadPhase.runAfterRead(() -> events.add("step, sent "
                    + ((EmbeddedChannel) context.channel()).outboundMessages().size()));
            events.add(deferred ? "deferred" : "not deferred");
        }
    }

    @Test
    void stepsOfAllAnswersRunWhenAllThatFollowsThemHasLeft() {
        EmbeddedChannel channel =
                new EmbeddedChannel(new ReadPhase(), new FlushConsolidationHandler(64, true), new Sender());
        channel.writeInbound("a", "b");
        assertThat(events).containsExactly("deferred", "deferred", "step, sent 2", "step, sent 2");
        assertThat(channel.finish()).isTrue();
    }

    @Test
    void whoReadsNothingDefersNothing() {
        assertThat(ReadPhase.runAfterRead(() -> events.add("step"))).isFalse();
        EmbeddedChannel channel = new EmbeddedChannel(new ReadPhase());
        channel.writeInbound("a");
        assertThat(ReadPhase.runAfterRead(() -> events.add("step"))).isFalse();
        assertThat(events).isEmpty();
        channel.finishAndReleaseAll();
    }
}
