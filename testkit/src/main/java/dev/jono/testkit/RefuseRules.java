package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.UnsupportedCapabilityException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A missing capability is an UnsupportedCapabilityException, and is never ignored. */
abstract class RefuseRules extends ContractCase {
    RefuseRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @ParameterizedTest
    @EnumSource(
            value = Capability.class,
            names = {
                "SCHEDULE",
                "RESERVE",
                "REMOVE",
                "DELETE",
                "BROWSE",
                "HISTORY",
                "KEYED",
                "DEDUPLICATE",
                "EDIT",
                "TRANSACTION"
            })
    void whatTheBackendDoesNotDeclareIsRefused(Capability capability) {
        assumeFalse(declared(capability), () -> "the backend declares " + capability + ", nothing to refuse");
        assertRefused(jono(), capability);
    }

    @ParameterizedTest
    @EnumSource(
            value = Capability.class,
            names = {
                "SCHEDULE",
                "RESERVE",
                "REMOVE",
                "DELETE",
                "BROWSE",
                "HISTORY",
                "KEYED",
                "DEDUPLICATE",
                "EDIT",
                "TRANSACTION"
            })
    void whatAConnectionCannotDoIsRefusedWhateverItsTypeCan(Capability capability) {
        assertRefused(client(new Faults().hide(capability)), capability);
    }

    @Test
    void queueOffersNoMoreThanItsConnection() {
        MessageQueue<String> queue =
                client(new Faults().hide(Capability.BROWSE)).queue("orders", Codec.string());
        assertThat(queue.capabilities()).doesNotContain(Capability.BROWSE);
    }

    @Test
    void moveIsRefusedWhereItIsNotDeclared() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders(
                declared(Capability.MOVE)
                        ? client(new Faults().hide(Capability.MOVE, Capability.ATOMIC_MOVE))
                        : jono());
        queue.push("a");
        var held = reserved(queue);
        assertRefusal("moveTo", Capability.MOVE, () -> held.moveTo("elsewhere"));
        held.ack();
    }

    @Test
    void dueAtOnceNeedsNoSchedule() {
        QueueFactory client = client(new Faults().hide(Capability.SCHEDULE));
        assertThatCode(() -> orders(client).push("a", PushOptions.delay(Duration.ZERO)))
                .doesNotThrowAnyException();
    }

    private void assertRefused(QueueFactory client, Capability capability) {
        MessageQueue<String> queue = orders(client);
        queue.push("a");
        calls(client, queue, capability).forEach((name, call) -> assertRefusal(name, capability, call));
        assertThat(queue.totalSize()).as("messages after the refusals").isEqualTo(1);
    }

    private static void assertRefusal(String name, Capability capability, ThrowingCallable call) {
        UnsupportedCapabilityException refusal = catchThrowableOfType(UnsupportedCapabilityException.class, () -> {
            try {
                call.call();
            } catch (CompletionException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        });
        assertThat(refusal).as("refusal of " + name).isNotNull();
        assertThat(refusal.capability()).as(name).isEqualTo(capability);
        assertThat(refusal.queue()).as(name).isEqualTo("orders");
        assertThat(refusal)
                .as(name)
                .hasMessageContainingAll("on queue 'orders' needs " + capability, "which backend '", "does not have");
    }

    private Map<String, ThrowingCallable> calls(
            QueueFactory client, MessageQueue<String> queue, Capability capability) {
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        switch (capability) {
            case SCHEDULE -> {
                PushOptions later = PushOptions.delay(Duration.ofMinutes(1));
                calls.put("push", () -> queue.push("b", later));
                calls.put("pushAsync", () -> queue.pushAsync("b", later).join());
                calls.put("pushAll", () -> queue.pushAll(java.util.List.of("b"), later));
            }
            case RESERVE -> {
                calls.put("reserve", () -> queue.reserve(Duration.ZERO));
                calls.put("reserve many", () -> queue.reserve(2, Duration.ZERO));
                calls.put(
                        "reserveAsync", () -> queue.reserveAsync(Duration.ZERO).join());
                calls.put(
                        "worker",
                        () -> client.worker().from(queue, (p, d) -> {}).start());
            }
            case REMOVE -> calls.put("remove", () -> queue.remove("id"));
            case DELETE -> {
                calls.put("delete", queue::delete);
                calls.put("deleteWithMessages", queue::deleteWithMessages);
            }
            case KEYED ->
                calls.put(
                        "keyed",
                        () -> client.queue(
                                "orders",
                                Codec.string(),
                                QueueOptions.builder().keyed().build()));
            case DEDUPLICATE -> {
                PushOptions unique = PushOptions.none().unique("key", Duration.ofMinutes(1));
                calls.put("push", () -> queue.push("b", unique));
                calls.put("pushAsync", () -> queue.pushAsync("b", unique).join());
                calls.put("pushAll", () -> queue.pushAll(java.util.List.of("b"), unique));
                calls.put("forget", () -> queue.forget("key", "id"));
            }
            case TRANSACTION -> {
                PushOptions in = PushOptions.none().in(new TransactionRules.ForeignTx());
                calls.put("push", () -> queue.push("b", in));
                calls.put("pushAll", () -> queue.pushAll(java.util.List.of("b"), in));
            }
            case EDIT -> {
                calls.put("reschedule", () -> queue.reschedule("id", Duration.ZERO));
                calls.put("moveIdle", () -> queue.moveIdle("id", "elsewhere"));
            }
            case BROWSE -> {
                calls.put("browse", () -> queue.browse(null, 10));
                calls.put("get", () -> queue.get("id"));
            }
            default -> {
                calls.put("history", () -> queue.history(10));
                calls.put("historySize", queue::historySize);
            }
        }
        return calls;
    }
}
