package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.Interceptor;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.OutgoingMessage;
import dev.jono.PayloadKind;
import dev.jono.PayloadTooLargeException;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.UndecodableException;
import dev.jono.Worker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Interceptors see every message on every path: blocking calls, async calls, lists, workers. */
abstract class InterceptorRules extends ContractCase {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    InterceptorRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    /** Records what it sees, and reverses payloads at push and at receive. */
    private final class Recorder implements Interceptor {
        private final String name;

        Recorder(String name) {
            this.name = name;
        }

        @Override
        public OutgoingMessage push(OutgoingMessage message) {
            seen.add(name + " push " + message.queue());
            return message.header("by-" + name, true).payload(reversed(message.payload()));
        }

        @Override
        public void pushed(OutgoingMessage message, @Nullable PushResult result, @Nullable Throwable failure) {
            seen.add(name + " pushed " + (result != null) + " " + (failure != null));
        }

        @Override
        public EncodedPayload receive(String queue, Headers headers, EncodedPayload payload) {
            seen.add(name + " receive " + queue);
            return reversed(payload);
        }

        @Override
        public void handle(Message<?> message, Handling handling) throws Exception {
            seen.add(name + " before " + message.payload());
            try {
                handling.proceed();
            } finally {
                seen.add(name + " after");
            }
        }
    }

    private static EncodedPayload reversed(EncodedPayload payload) {
        String text = new StringBuilder(payload.text()).reverse().toString();
        return EncodedPayload.of(PayloadKind.STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    private QueueFactory intercepted() {
        return connect(storage().client().interceptor(new Recorder("outer")).interceptor(new Recorder("inner")));
    }

    private long count(String what) {
        return seen.stream().filter(what::equals).count();
    }

    @Test
    void blockingPushAndPopPass() throws Exception {
        MessageQueue<String> queue = orders(intercepted());
        queue.push("abc");
        Message<String> got = popped(queue);
        assertThat(got.payload()).isEqualTo("abc");
        assertThat(got.headers().get("by-outer")).isEqualTo(true);
        assertThat(got.headers().get("by-inner")).isEqualTo(true);
        awaitReal("pushed to be called", () -> count("outer pushed true false") == 1);
        assertThat(seen.subList(0, 2)).containsExactly("outer push orders", "inner push orders");
        assertThat(count("inner receive orders")).isEqualTo(1);
        assertThat(count("outer receive orders")).isEqualTo(1);
    }

    @Test
    void everyFormOfPushPasses() {
        MessageQueue<String> queue = orders(intercepted());
        queue.push("a");
        queue.pushAll(List.of("b", "c"));
        track(queue.pushAsync("d")).join();
        track(queue.pushAllAsync(List.of("e", "f"), PushOptions.none())).join();
        assertThat(count("outer push orders")).isEqualTo(6);
        awaitReal("pushed to be called for each", () -> count("inner pushed true false") == 6);
    }

    @Test
    void everyFormOfReceivingPasses() throws Exception {
        MessageQueue<String> queue = orders(intercepted());
        queue.pushAll(List.of("abc", "abc", "abc", "abc", "abc", "abc"));
        assertThat(popped(queue).payload()).isEqualTo("abc");
        assertThat(track(queue.popAsync(Duration.ofSeconds(5))).join().map(Message::payload))
                .contains("abc");
        assertThat(queue.pop(2, Duration.ZERO)).allMatch(m -> m.payload().equals("abc"));
        int expected = 4;
        if (declared(Capability.RESERVE)) {
            var held = reserved(queue);
            assertThat(held.payload()).isEqualTo("abc");
            held.ack();
            expected++;
        }
        if (declared(Capability.BROWSE)) {
            assertThat(queue.browse(null, 1).get(0).payload()).isEqualTo("abc");
            expected++;
        }
        assertThat(count("outer receive orders")).isEqualTo(expected);
    }

    @Test
    void handlersPassAndTheFirstAddedIsTheOutermost() {
        requires(Capability.RESERVE);
        QueueFactory client = intercepted();
        MessageQueue<String> queue = orders(client);
        queue.push("abc");
        seen.clear();
        Worker worker = client.worker()
                .from(queue, (payload, delivery) -> seen.add("handled " + payload))
                .start();
        awaitReal("the message to be handled", () -> queue.totalSize() == 0);
        assertThat(worker.stop(Duration.ofSeconds(20))).isTrue();
        assertThat(seen.stream().filter(s -> !s.contains("receive")))
                .containsExactly("outer before abc", "inner before abc", "handled abc", "inner after", "outer after");
    }

    @Test
    void interceptorSeesAllMessagesOfABatch() {
        requires(Capability.RESERVE);
        QueueFactory client = connect(storage()
                .client()
                .interceptor(new Interceptor() {
                    @Override
                    public void handleAll(List<? extends Message<?>> messages, Handling handling) throws Exception {
                        messages.forEach(message -> seen.add("outer " + message.payload()));
                        handling.proceed();
                    }
                })
                .interceptor(new Interceptor() {
                    @Override
                    public void handle(Message<?> message, Handling handling) throws Exception {
                        seen.add("inner " + message.payload());
                        handling.proceed();
                    }
                }));
        MessageQueue<String> queue = orders(client);
        queue.pushAll(List.of("a", "b"));
        Worker worker = client.worker()
                .concurrency(2)
                .fromBatch(queue, 2, batch -> seen.add("handled " + batch.size()))
                .start();
        awaitReal("the messages to be handled", () -> queue.totalSize() == 0);
        assertThat(worker.stop(Duration.ofSeconds(20))).isTrue();
        assertThat(seen).containsExactly("outer a", "outer b", "inner a", "handled 2");
    }

    @Test
    void whatThrowsAroundAHandlerIsTheHandlersFailure() {
        requires(Capability.RESERVE);
        QueueFactory client = connect(storage().client().interceptor(new Interceptor() {
            @Override
            public void handle(Message<?> message, Handling handling) throws Exception {
                if (message.tries() == 0) {
                    throw new IllegalStateException("a test's");
                }
                handling.proceed();
            }
        }));
        MessageQueue<String> queue = orders(client);
        Worker worker = client.worker()
                .from(queue, (payload, delivery) -> seen.add("tries " + delivery.tries()))
                .start();
        queue.push("a");
        passUntil("the second delivery", seconds(60), () -> queue.totalSize() == 0);
        assertThat(worker.stop(Duration.ofSeconds(20))).isTrue();
        assertThat(seen).containsExactly("tries 1");
    }

    @Test
    void whatThrowsBeforeAPushFailsThatPush() {
        QueueFactory client = connect(storage().client().interceptor(new Interceptor() {
            @Override
            public OutgoingMessage push(OutgoingMessage message) {
                if (message.payload().text().equals("bad")) {
                    throw new IllegalStateException("a test's");
                }
                return message;
            }

            @Override
            public void pushed(OutgoingMessage message, @Nullable PushResult result, @Nullable Throwable failure) {
                throw new IllegalStateException("only logged");
            }
        }));
        MessageQueue<String> queue = orders(client);
        assertThatThrownBy(() -> queue.push("bad")).isInstanceOf(EncodingException.class);
        queue.push("good");
        assertThat(queue.totalSize()).isEqualTo(1);
    }

    @Test
    void whatThrowsOnReceivingMakesTheMessageUndecodable() {
        QueueFactory client = connect(storage().client().interceptor(new Interceptor() {
            @Override
            public EncodedPayload receive(String queue, Headers headers, EncodedPayload payload) {
                throw new IllegalStateException("no key");
            }
        }));
        MessageQueue<String> queue = orders(client);
        queue.push("a");
        assertThatThrownBy(() -> queue.pop(Duration.ZERO)).isInstanceOf(UndecodableException.class);
    }

    /** Sets an attribute at each push, and records what {@code pushed} gets of it. */
    private final class Attributed implements Interceptor {
        private int pushes;

        @Override
        public OutgoingMessage push(OutgoingMessage message) {
            assertThat(message.attribute(this)).isNull();
            return message.attribute(this, "replaced").attribute(this, "push " + ++pushes);
        }

        @Override
        public void pushed(OutgoingMessage message, @Nullable PushResult result, @Nullable Throwable failure) {
            seen.add(message.attribute(this) + (failure == null ? " stored" : " failed"));
        }
    }

    @Test
    void attributesOfAMessageReachPushedOnEveryPath() {
        QueueFactory client =
                connect(storage().client().interceptor(new Attributed()).interceptor(new Recorder("inner")));
        MessageQueue<String> queue = orders(client);
        queue.push("a");
        queue.pushAll(List.of("b", "c"));
        track(queue.pushAsync("d")).join();
        track(queue.pushAllAsync(List.of("e", "f"), PushOptions.none())).join();
        awaitReal("pushed to be called for each", () -> count("inner pushed true false") == 6);
        assertThat(seen)
                .contains("push 1 stored", "push 2 stored", "push 3 stored", "push 4 stored", "push 5 stored")
                .contains("push 6 stored");
    }

    @Test
    void interceptorsHearOfAPushThatALaterOneOrTheLimitRefuses() {
        QueueFactory client =
                connect(storage().client().interceptor(new Attributed()).interceptor(new Interceptor() {
                    @Override
                    public OutgoingMessage push(OutgoingMessage message) {
                        if (message.payload().text().equals("bad")) {
                            throw new IllegalStateException("a test's");
                        }
                        return message;
                    }
                }));
        MessageQueue<String> queue =
                orders(client, QueueOptions.builder().maxPayloadBytes(10).build());
        assertThatThrownBy(() -> queue.push("bad")).isInstanceOf(EncodingException.class);
        assertThatThrownBy(() -> queue.push("larger than ten bytes")).isInstanceOf(PayloadTooLargeException.class);
        assertThat(seen).containsExactly("push 1 failed", "push 2 failed");
    }

    @Test
    void failedPushIsToldToo() {
        Faults faults = new Faults().refuse(Call.INSERT, request -> true);
        QueueFactory client = connect(builder(faults).interceptor(new Recorder("outer")));
        assertThatThrownBy(() -> orders(client).push("a")).isInstanceOf(dev.jono.StorageException.class);
        awaitReal("the failure to be reported", () -> count("outer pushed false true") == 1);
    }
}
