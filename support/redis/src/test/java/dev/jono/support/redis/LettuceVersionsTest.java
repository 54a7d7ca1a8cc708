package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.JonoClock;
import dev.jono.spi.ConnectionUrl;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LettuceVersionsTest {
    @ParameterizedTest
    @ValueSource(strings = {"redis-oq:redis://localhost", "redis-oq:redis://h1:7000,h2:7000"})
    void clientsRefuseAnnouncementsOfMaintenance(String url) {
        ConnectionUrl parsed = ConnectionUrl.parse(url);
        Clients.Opened opened = Clients.of(parsed, RedisOptions.parse(parsed, Set.of()), JonoClock.system());
        try {
            assertThat(opened.client()
                            .getOptions()
                            .getMaintNotificationsConfig()
                            .maintNotificationsEnabled())
                    .isFalse();
        } finally {
            opened.close();
        }
    }
}
