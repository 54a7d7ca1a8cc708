package dev.jono.backend.postgres;

import dev.jono.testkit.KilledClient;
import dev.jono.testkit.Step;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * After {@code kill -9} of a process that runs all operations at once, no message is lost and none is in two queues. Keyed
 * queues are in {@link PostgresCrashContractTest}.
 */
@Tag("fault")
class KilledClientTest {
    @Test
    void noMessageIsLostOrInTwoQueues() throws Exception {
        try (TestSchema schema = TestSchema.in(PostgresServer.sharedUrl())) {
            KilledClient.assertNothingLost(schema.jonoUrl(), EnumSet.allOf(Step.class));
        }
    }
}
