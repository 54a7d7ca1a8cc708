package dev.jono.backend.keusspostgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableNamesTest {
    @Test
    void namesFitIntoPostgres() {
        for (int length : new int[] {1, 51, 52, 200}) {
            String queue = "q".repeat(length);
            String table = TableNames.table(queue);
            assertThat(table).hasSizeLessThanOrEqualTo(63);
            assertThat(TableNames.heldIndex(queue)).hasSizeLessThanOrEqualTo(63);
            assertThat(TableNames.queue(table, length > 51 ? TableNames.COMMENT + queue : null))
                    .isEqualTo(queue);
        }
    }

    @Test
    void nameOfAnotherProgramIsLeftOut() {
        assertThat(TableNames.queue("_k_tbl_with blank", null)).isNull();
        assertThat(TableNames.queue("_k_tbl_orders", "a comment")).isEqualTo("orders");
        assertThat(TableNames.queue("_k_tbl_orders", TableNames.COMMENT + "other"))
                .isEqualTo("orders");
    }
}
