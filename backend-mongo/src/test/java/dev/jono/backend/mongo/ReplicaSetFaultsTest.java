package dev.jono.backend.mongo;

import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Three nodes, of which one is lost under load: what was acknowledged comes out, and comes out once. */
@Tag("fault")
@Execution(ExecutionMode.SAME_THREAD)
class ReplicaSetFaultsTest {
    private static final int SOME = 20;

    private static MongoReplicaSet set;

    @BeforeAll
    static void start() {
        set = MongoReplicaSet.start(3);
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    /** Loads these backends all the while; the strikes get to know how to wait for the work to go on. */
    private static void underLoad(List<String> backends, Consumer<Runnable> strikes) {
        List<Load> loads = new ArrayList<>();
        try {
            for (String backend : backends) {
                loads.add(new Load(Fixture.url(backend, set.uri(Fixture.database()), "jono.timeout=5s")));
            }
            Runnable going = () -> loads.forEach(load -> load.awaitMore(SOME));
            going.run();
            strikes.accept(going);
            loads.forEach(Load::assertNothingIsLostOrDoubled);
        } finally {
            loads.forEach(Load::close);
        }
    }

    @Test
    void primaryThatIsKilledTakesNothingAlong() {
        underLoad(List.of("mongo", "pl-mongo"), going -> {
            MongoServer primary = set.awaitPrimary();
            primary.kill();
            going.run();
            primary.restart();
        });
    }

    @Test
    void lossOfASecondaryAndAStepDownAreNotNoticed() {
        underLoad(List.of("mongo", "ps-mongo"), going -> {
            MongoServer primary = set.awaitPrimary();
            MongoServer secondary = set.nodes().stream()
                    .filter(node -> node != primary)
                    .findFirst()
                    .orElseThrow();
            secondary.kill();
            going.run();
            secondary.restart();
            set.stepDown();
            going.run();
        });
    }
}
