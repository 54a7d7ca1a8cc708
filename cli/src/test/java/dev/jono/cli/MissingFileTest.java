package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A missing queue file: commands that read the queue or take messages do not create it. */
class MissingFileTest {
    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("q.db");
    }

    private static String[] words(String command, String url) {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.replaceAll(word -> word.equals("URL") ? url : word);
        return words.toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pop URL q",
                "pop URL q --all",
                "reserve URL q --then ack",
                "settle URL q receipt --as ack",
                "peek URL q",
                "info URL q",
                "ls URL",
                "ls -l URL",
                "pause URL q",
                "resume URL q",
                "purge URL q --yes",
                "remove URL q 17",
                "reschedule URL q 17",
                "move URL q other",
                "redrive URL",
                "redrive URL 17",
                "history URL q"
            })
    void is_an_error_and_is_not_made(String command) {
        for (String options : List.of("", "?jono.busy=1s")) {
            Jono.Run run =
                    Jono.run(words(command, "sqlite:" + file() + options)).ended(Exit.ERROR);
            assertThat(run.err())
                    .isEqualTo("jono: " + file() + " does not exist, and is not made (jono.create=false):"
                            + " check the path\n");
            assertThat(directory.toFile().list()).isEmpty();
        }
    }

    @Test
    void is_made_where_the_url_says_so() {
        Jono.run("ls", "sqlite:" + file() + "?jono.create=true").ended(Exit.NOTHING);
        assertThat(file()).exists();
    }

    @Test
    @Timeout(30)
    void is_made_to_push_into_it_and_to_wait_for_a_message() {
        Jono.run("pop", "sqlite:" + file(), "q", "--wait", "1ms").ended(Exit.NOTHING);
        assertThat(file()).exists();
        Path other = directory.resolve("other.db");
        Jono.run("push", "sqlite:" + other, "q", "1").ended(Exit.DONE);
        Jono.run("pop", "sqlite:" + other, "q").ended(Exit.DONE);
    }
}
