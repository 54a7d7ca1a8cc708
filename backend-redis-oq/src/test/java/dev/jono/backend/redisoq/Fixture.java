package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.UUID;

/** Fresh places for tests. */
final class Fixture {
    private Fixture() {}

    /** A prefix that nobody uses, on the server that all tests share. */
    static ContractSetup shared() {
        String url = "redis-oq:" + RedisServer.sharedUri() + "?jono.prefix=" + UUID.randomUUID() + ":";
        return ContractSetup.builder(url)
                .declares(RedisOqBackend.CAPABILITIES)
                .realTime(Duration.ofMillis(250))
                .otherProcessUrl(url)
                .build();
    }
}
