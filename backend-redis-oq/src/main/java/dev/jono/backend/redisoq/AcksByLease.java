package dev.jono.backend.redisoq;

import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.redis.RedisKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Groups acks by lease: Redis removes all messages of a lease with fewer commands than each of them alone. */
final class AcksByLease {
    private AcksByLease() {}

    /**
     * Sends receipts in an order in which those of one lease follow each other, and returns the outcomes in the order of the
     * receipts.
     */
    static CompletionStage<SettleResult> settle(
            List<Receipt> receipts, Function<List<Receipt>, CompletionStage<SettleResult>> ack) {
        if (sameLease(receipts)) {
            return ack.apply(receipts);
        }
        Map<String, List<Integer>> positions = new LinkedHashMap<>();
        for (int i = 0; i < receipts.size(); i++) {
            positions
                    .computeIfAbsent(receipts.get(i).token(), token -> new ArrayList<>())
                    .add(i);
        }
        List<Integer> order = positions.values().stream().flatMap(List::stream).toList();
        return ack.apply(order.stream().map(receipts::get).toList()).thenApply(result -> {
            Outcome[] outcomes = new Outcome[receipts.size()];
            for (int i = 0; i < outcomes.length; i++) {
                outcomes[order.get(i)] = result.outcomes().get(i);
            }
            return SettleResult.builder()
                    .outcomes(Arrays.asList(outcomes))
                    .storageMillis(result.storageMillis())
                    .promotedMillis(result.promotedMillis())
                    .build();
        });
    }

    /** The common case, which needs no grouping. */
    private static boolean sameLease(List<Receipt> receipts) {
        return receipts.isEmpty() || leaseRun(receipts, 0).size() == receipts.size();
    }

    /** The receipts from an index on that belong to one lease. */
    private static List<Receipt> leaseRun(List<Receipt> receipts, int from) {
        String token = receipts.get(from).token();
        int to = from + 1;
        while (to < receipts.size() && receipts.get(to).token().equals(token)) {
            to++;
        }
        return receipts.subList(from, to);
    }

    /**
     * The arguments of the ack script.
     *
     * @param withIds whether to send the ids of all messages. Otherwise a lease whose messages are all acked is sent as their
     *     number only
     */
    static byte[][] args(List<Receipt> receipts, boolean withIds) {
        List<byte[]> args = new ArrayList<>();
        args.add(Limits.READ_BYTES);
        for (int from = 0; from < receipts.size(); ) {
            List<Receipt> lease = leaseRun(receipts, from);
            ClaimToken token = ClaimToken.parse(lease.get(0));
            args.add(RedisKeys.bytes(token.fence()));
            args.add(RedisKeys.bytes(token.leaseEnd()));
            if (!withIds && lease.size() > 1 && token.isWholeBatch(lease)) {
                args.add(RedisKeys.bytes(-lease.size()));
            } else {
                args.add(RedisKeys.bytes(lease.size()));
                lease.forEach(receipt -> args.add(RedisKeys.bytes(receipt.id())));
            }
            from += lease.size();
        }
        return args.toArray(byte[][]::new);
    }
}
