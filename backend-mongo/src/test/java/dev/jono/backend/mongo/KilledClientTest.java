package dev.jono.backend.mongo;

import dev.jono.support.mongo.testing.OwnDatabase;
import dev.jono.testkit.KilledClient;
import dev.jono.testkit.Step;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After {@code kill -9} of a process that runs all operations at once, no message is lost and none is in two queues.
 */
@Tag("fault")
class KilledClientTest {
    @RegisterExtension
    final OwnDatabase database = new OwnDatabase("mongo");

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo"})
    void noMessageIsLostOrInTwoQueues(String backend) throws Exception {
        KilledClient.assertNothingLost(database.url(backend, ""), EnumSet.allOf(Step.class));
    }
}
