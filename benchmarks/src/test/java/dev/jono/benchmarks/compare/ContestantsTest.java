package dev.jono.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The libraries of the contestants can be had in the versions that are written down. */
class ContestantsTest {
    @Test
    void eachLibraryForNodeHasAProgramAndIsInstalled() throws IOException {
        String script = Files.readString(Path.of("compare"));
        List<String> libraries = Contestants.all().stream()
                .filter(Contestant::inNode)
                .map(Contestant::driver)
                .distinct()
                .toList();
        assertThat(libraries).containsExactlyInAnyOrder("keuss", "bullmq", "kue", "queue-farm", "graphile-worker");
        assertThat(libraries).allSatisfy(library -> {
            assertThat(Path.of("peers", library)).isDirectoryContaining("glob:**/peer.js");
            assertThat(Files.readString(Path.of("peers", library, "package-lock.json")))
                    .contains("node_modules/" + library + "\"");
            assertThat(script).contains("\n  peer " + library + "\n");
        });
    }
}
