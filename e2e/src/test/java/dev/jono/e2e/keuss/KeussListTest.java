package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code redis-list} together with keuss's. */
class KeussListTest extends KeussRedisCase {
    KeussListTest() {
        super("redis-list");
    }

    private static String key(String queue) {
        return "keuss:q:list:" + queue;
    }

    @Override
    void plant(String queue, String stored) {
        redis.call("LPUSH", key(queue), stored);
    }

    @Override
    String stored(String queue) {
        assertThat(redis.call("LLEN", key(queue))).isEqualTo(1L);
        return String.valueOf(redis.call("LINDEX", key(queue), "0"));
    }
}
