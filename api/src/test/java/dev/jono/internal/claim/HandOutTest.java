package dev.jono.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.internal.fakes.FakePlugins;
import dev.jono.internal.fakes.Fakes;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HandOutTest {
    private static final ClaimTerms TERMS = new ClaimTerms(30_000, 25, "dead", null, 1);

    private final List<String> events = new ArrayList<>();
    private final EngineContext context = Fakes.context(new Fakes.Clock(), 10, Runnable::run);

    @Test
    void waiterThatThrowsDoesNotKeepTheOthersFromBeingNotified() {
        List<Demand> demands = List.of(new Demand(new Failing("a"), 1), new Demand(new Failing("b"), 1));
        HandOut handOut = new HandOut(claim(demands), none -> List.of());
        assertThat(handOut.handOut(List.of(message("1"), message("2")))).isEmpty();
        handOut.notifyWaiters(context, List.of(new Failing("c"), new Failing("d")), () -> events.add("next claim"));
        assertThat(events).containsExactly("a served", "b served", "c empty", "d empty", "next claim");
    }

    private ClaimCall claim(List<Demand> demands) {
        QueueScope scope = new QueueScope(context, Fakes.QUEUE, new FakePlugins.NoStore(), Fakes.TIMEOUT);
        return new ClaimCall(scope, new NoSink(), 1, new WaitingLine.Demands(TERMS, demands, demands.size()), 2);
    }

    private static HeldMessage message(String id) {
        StoredMessage stored = StoredMessage.builder()
                .id(id)
                .payload(EncodedPayload.of(PayloadKind.STRING, new byte[0]))
                .build();
        return new HeldMessage(stored, TERMS, 0);
    }

    /** A caller that throws whenever it is notified. */
    private final class Failing extends Waiter {
        private final String name;

        Failing(String name) {
            this.name = name;
        }

        private void fail(String event) {
            events.add(name + " " + event);
            throw new IllegalStateException(name);
        }

        @Override
        protected ClaimTerms terms() {
            return TERMS;
        }

        @Override
        protected int demand() {
            return 1;
        }

        @Override
        protected boolean accept(List<HeldMessage> messages) {
            return true;
        }

        @Override
        protected void afterHandOut() {
            fail("served");
        }

        @Override
        protected void queueEmpty() {
            fail("empty");
        }

        @Override
        protected void failed(RuntimeException failure) {
            fail("failed");
        }
    }

    private static final class NoSink implements ClaimCall.Sink {
        @Override
        public void brought(ClaimCall claim, ClaimResult result) {}

        @Override
        public void failed(ClaimCall claim, Throwable failure) {}

        @Override
        public void overdue(ClaimCall claim, Throwable failure) {}

        @Override
        public void broughtTooLate(List<HeldMessage> messages) {}
    }
}
