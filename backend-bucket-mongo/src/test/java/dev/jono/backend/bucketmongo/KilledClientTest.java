package dev.jono.backend.bucketmongo;

import dev.jono.support.mongo.testing.OwnDatabase;
import dev.jono.testkit.KilledClient;
import dev.jono.testkit.Step;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * After {@code kill -9} of a process that runs all operations at once, no message is lost and none is in two queues.
 */
@Tag("fault")
class KilledClientTest {
    @RegisterExtension
    final OwnDatabase database = new OwnDatabase("bucket-mongo-safe");

    @Test
    void noMessageIsLostOrInTwoQueues() throws Exception {
        KilledClient.assertNothingLost(database.url(), EnumSet.allOf(Step.class));
    }

    @Test
    void noPushedOrPoppedMessageIsLost() throws Exception {
        KilledClient.assertNothingLost(database.url("bucket-mongo", ""), EnumSet.of(Step.PUSH, Step.POP));
    }
}
