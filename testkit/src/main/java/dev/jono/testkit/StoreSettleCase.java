package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleResult.Outcome;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;

/** The base of the tests of settling calls. */
abstract class StoreSettleCase extends StoreCase {
    /** A way to end or change a reservation. */
    enum Way {
        ACK,
        RETRY,
        RELEASE,
        EXTEND,
        MOVE
    }

    StoreSettleCase(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    final void needsReserve() {
        requires(Capability.RESERVE);
    }

    final void needed(Way way) {
        if (way == Way.MOVE) {
            requires(Capability.MOVE, Capability.ATOMIC_MOVE);
        }
    }

    final Outcome settle(Way way, QueueStore store, Receipt receipt) {
        List<Outcome> outcomes = settleAll(way, store, receipt);
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    final List<Outcome> settleAll(Way way, QueueStore store, Receipt... receipts) {
        Stream<Receipt> all = Stream.of(receipts);
        return switch (way) {
            case ACK -> ack(store, receipts);
            case RETRY -> release(store, all.map(each -> ReleaseRequest.Item.of(each, Due.now(), true)));
            case RELEASE -> release(store, all.map(each -> ReleaseRequest.Item.of(each, null, false)));
            case EXTEND ->
                got(store.extend(extending(seconds(1_000), receipts))).outcomes();
            case MOVE ->
                got(store.move(moving(all.map(each -> moveTo(each, "target")).toArray(MoveItem[]::new))))
                        .outcomes();
        };
    }

    private static List<Outcome> release(QueueStore store, Stream<ReleaseRequest.Item> items) {
        return got(store.release(releasing(items.toArray(ReleaseRequest.Item[]::new))))
                .outcomes();
    }
}
