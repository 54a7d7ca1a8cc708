package dev.jono.backend.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.QueueFactory;
import org.junit.jupiter.api.Test;

class UrlTest {
    @Test
    void urlWithoutTheTypeGetsAProposalThatCanBeUsed() {
        assertThatThrownBy(() -> QueueFactory.connect("jdbc:postgresql://db/shop"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("postgres:jdbc:postgresql://…");
    }
}
