package dev.jono.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.QueueFactory;
import dev.jono.testkit.ChildJvm;
import dev.jono.testkit.server.RedisServer;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A trace continues in another process, through Redis. */
class RedisTraceTest {
    @Test
    void handlerInAnotherProcessIsOfTheTraceOfThePush() {
        String url = "redis-oq:" + RedisServer.sharedUri() + "?jono.prefix=" + UUID.randomUUID() + ":";
        try (Traces traces = new Traces();
                ChildJvm child = ChildJvm.start(TraceHandlerProcess.class, url);
                QueueFactory jono = QueueFactory.builder(url)
                        .interceptor(JonoObservations.create(traces.registry))
                        .connect()) {
            jono.queue("orders", Codec.string()).push("skates");
            child.await("the span of the handler", c -> !c.lines("span ").isEmpty());
            SpanData push = traces.span("push orders");
            String[] span = child.lines("span ").get(0).split(" ", -1);
            assertThat(span[0]).isEqualTo(push.getTraceId());
            assertThat(span[1]).isEqualTo(push.getSpanId());
            assertThat(Long.parseLong(span[2]))
                    .isNotEqualTo(ProcessHandle.current().pid());
            assertThat(child.join()).isZero();
        }
    }
}
