package dev.jono.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The jobs of a key have to run in the order of their numbers; jobs of different keys can run in any order. */
class KeyOrderTest {
    private final Payloads payloads = new Payloads(0, 20, 40);
    private final KeyOrder order = new KeyOrder(4);

    private void ran(int... indexes) {
        for (int index : indexes) {
            order.ran(payloads.text(index));
        }
    }

    @Test
    void aNumberHasTheKeyOfItsRemainder() {
        assertThat(order.key(payloads.text(3))).isEqualTo("key-3").isEqualTo(order.key(payloads.text(7)));
        assertThat(order.key(payloads.text(4))).isEqualTo("key-0");
    }

    @Test
    void keysRunInAnyOrder() {
        ran(3, 7, 0, 2, 4, 8, 1);
        assertThatCode(order::check).doesNotThrowAnyException();
    }

    @Test
    void aLaterJobOfAKeyDoesNotOvertake() {
        ran(4, 0, 1);
        assertThatThrownBy(order::check).hasMessage("1 jobs were not in the order of their key");
    }

    @Test
    void aJobDoesNotRunTwice() {
        ran(5, 5);
        assertThatThrownBy(order::check).isInstanceOf(IllegalStateException.class);
    }
}
