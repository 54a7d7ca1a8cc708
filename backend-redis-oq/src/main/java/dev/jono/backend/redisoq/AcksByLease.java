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

/** Acks are told to Redis lease by lease, which is cheaper for it than one by one. */
final class AcksByLease {
    private AcksByLease() {}

    /** Settles receipts in an order in which those of one lease stand together; what came of them, in their own order. */
    static CompletionStage<SettleResult> settle(
            List<Receipt> receipts, Function<List<Receipt>, CompletionStage<SettleResult>> ack) {
        if (sameLease(receipts)) {
            return ack.apply(receipts);
        }
        Map<String, List<Integer>> places = new LinkedHashMap<>();
        for (int i = 0; i < receipts.size(); i++) {
            places.computeIfAbsent(receipts.get(i).token(), token -> new ArrayList<>())
                    .add(i);
        }
        List<Integer> order = places.values().stream().flatMap(List::stream).toList();
        return ack.apply(order.stream().map(receipts::get).toList()).thenApply(result -> {
            Outcome[] outcomes = new Outcome[receipts.size()];
            for (int i = 0; i < outcomes.length; i++) {
                outcomes[order.get(i)] = result.outcomes().get(i);
            }
            return SettleResult.builder()
                    .outcomes(Arrays.asList(outcomes))
                    .storageMillis(result.storageMillis())
                    .build();
        });
    }

    /** Whether all are of one lease, as they mostly are. */
    private static boolean sameLease(List<Receipt> receipts) {
        return receipts.isEmpty() || leaseRun(receipts, 0, receipts.size()).size() == receipts.size();
    }

    /** Those from a place on that are of one lease. */
    private static List<Receipt> leaseRun(List<Receipt> receipts, int from, int end) {
        String token = receipts.get(from).token();
        int to = from + 1;
        while (to < end && receipts.get(to).token().equals(token)) {
            to++;
        }
        return receipts.subList(from, to);
    }

    /**
     * What the script is told.
     *
     * @param withIds of all; else of a lease all of whose messages are here only how many they are
     */
    static byte[][] args(List<Receipt> receipts, boolean withIds) {
        List<byte[]> args = new ArrayList<>();
        args.add(RedisOqQueue.READ_BYTES);
        for (int from = 0; from < receipts.size(); ) {
            List<Receipt> lease = leaseRun(receipts, from, receipts.size());
            ClaimToken claimed = ClaimToken.parse(lease.get(0));
            args.add(RedisKeys.bytes(claimed.fence()));
            args.add(RedisKeys.bytes(claimed.ends()));
            if (!withIds && lease.size() > 1 && claimed.isWholeBatch(lease)) {
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
