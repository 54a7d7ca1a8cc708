package dev.jono.examples.tickets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.Worker;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TicketDeskTest {
    private final RedisServer redis = RedisServer.start();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<String> freed = new CopyOnWriteArrayList<>();

    private TicketDesk desk(Duration patience) {
        TicketDesk desk = new TicketDesk(redis.uri(), patience);
        opened.add(0, desk);
        return desk;
    }

    /** Starts a desk that frees seats, which acts like another process. */
    private TicketDesk freeing(Duration patience) {
        TicketDesk desk = desk(patience);
        Worker worker = desk.start(hold -> freed.add(hold.seat()));
        opened.add(0, () -> worker.stop(Duration.ofSeconds(5)));
        return desk;
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        redis.close();
    }

    @Test
    void seatsThatNobodyBuysAreFreeAgainEachOnce() {
        Duration patience = Duration.ofMillis(400);
        freeing(patience);
        freeing(patience);
        TicketDesk counter = desk(patience);
        Map<String, String> tickets = new HashMap<>();
        String first = counter.hold("seat 1", "somebody");
        for (int seat = 2; seat <= 40; seat++) {
            tickets.put("seat " + seat, counter.hold("seat " + seat, "somebody"));
        }
        List<String> sold = tickets.entrySet().stream()
                .filter(held -> held.getKey().endsWith("0"))
                .filter(held -> counter.sold(held.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        await().until(() -> counter.held() == 0 && freed.size() + sold.size() >= 40);
        assertThat(freed)
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(sold)
                .hasSize(40 - sold.size());
        assertThat(counter.sold(first)).as("too late").isFalse();
    }

    @Test
    void pauseHoldsForEveryProcess() {
        TicketDesk one = freeing(Duration.ofMillis(100));
        TicketDesk other = desk(Duration.ofMillis(100));
        other.hold("seat 1", "somebody");
        await().until(() -> freed.size() == 1);
        other.pause();
        other.hold("seat 2", "somebody");
        await("two seats' time").pollDelay(Duration.ofMillis(300)).until(() -> one.held() == 1);
        assertThat(freed).containsExactly("seat 1");
        other.resume();
        await().until(() -> freed.contains("seat 2"));
    }

    @Test
    void commandHoldsAndSells() throws InterruptedException {
        TicketDesk.main(new String[] {redis.uri(), "hold", "seat 7", "ann"});
        TicketDesk desk = desk(Duration.ofMinutes(1));
        assertThat(desk.held()).isEqualTo(1);
        TicketDesk.main(new String[] {redis.uri(), "sold", desk.hold("seat 8", "ben")});
        assertThat(desk.held()).isEqualTo(1);
        assertThatThrownBy(() -> TicketDesk.main(new String[] {redis.uri(), "hold"}))
                .hasMessageContaining("expected");
    }
}
