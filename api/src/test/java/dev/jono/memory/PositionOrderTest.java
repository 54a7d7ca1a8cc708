package dev.jono.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

class PositionOrderTest {
    private static final EncodedPayload NOTHING = EncodedPayload.of(PayloadKind.BYTES, new byte[0]);

    private final PositionOrder order = new PositionOrder();
    private final TreeSet<Entry> model = new TreeSet<>(Position::compareTo);
    private long seq;

    private void add(long rank) {
        Entry entry = new Entry(++seq, "m" + seq, NOTHING, Headers.empty(), 0);
        order.add(entry, rank);
        model.add(entry);
    }

    private void remove(Entry entry) {
        order.remove(entry);
        model.remove(entry);
        assertThat(entry.order).isNull();
    }

    /** A page of entries after a position, as a browse combines them. */
    private List<Entry> page(Position position, int limit) {
        List<Entry> candidates = new ArrayList<>();
        order.collectAfter(position, position instanceof Entry entry ? entry : null, limit, candidates);
        return candidates.stream().sorted(Position::compareTo).limit(limit).toList();
    }

    @RepeatedTest(20)
    void behavesLikeASortedSet(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        for (int step = 0; step < 2000; step++) {
            int dice = random.nextInt(10);
            if (dice < 4) {
                add(step); // in order, as messages come
            } else if (dice < 6) {
                add(random.nextInt(2000));
            } else if (dice < 8 && !model.isEmpty()) {
                remove(model.first());
            } else if (!model.isEmpty()) {
                Entry near = model.ceiling(new Entry(0, "", NOTHING, Headers.empty(), 0));
                remove(random.nextBoolean() || near == null ? model.last() : near);
            }
            assertThat(order.size()).isEqualTo(model.size());
            assertThat(order.first()).isSameAs(model.isEmpty() ? null : model.first());
        }
        assertPages(random);
        List<Entry> all = new ArrayList<>();
        order.forEach(all::add);
        assertThat(all).containsExactlyInAnyOrderElementsOf(model);
        order.clear();
        assertThat(order.first()).isNull();
        assertThat(order.size()).isZero();
    }

    private void assertPages(Random random) {
        for (int i = 0; i < 50; i++) {
            Position position = new Position(random.nextInt(2000), random.nextInt(2000));
            Entry member = model.isEmpty() ? null : model.floor(asEntry(position));
            for (Position from : member == null ? List.of(position) : List.of(position, member)) {
                assertThat(page(from, 7))
                        .containsExactlyElementsOf(model.stream()
                                .filter(e -> e.compareTo(from) > 0)
                                .limit(7)
                                .toList());
            }
        }
    }

    private static Entry asEntry(Position position) {
        Entry entry = new Entry(position.seq, "", NOTHING, Headers.empty(), 0);
        entry.rank = position.rank;
        return entry;
    }
}
