package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Searches the output of another process for a secret, while that process connects, is refused, and loses its
 * connection.
 */
public final class Secrets implements AutoCloseable {
    /** The secret that must not appear. URLs contain it without escapes. */
    public static final String SECRET = "s3cr3t-7f";

    private final ChildJvm child = ChildJvm.start(SecretsChild.class);
    private int done;

    /** Connects and uses a queue. Returns whether both succeeded. */
    public boolean works(String url) {
        int failed = child.lines("FAILED ").size();
        child.send(url);
        awaitDone(url);
        return child.lines("FAILED ").size() == failed;
    }

    /** Connects, runs an action that disturbs the connection, then uses a queue. Returns whether all succeeded. */
    public boolean works(String url, Runnable happens) {
        int failed = child.lines("FAILED ").size();
        int open = child.lines("OPEN ").size();
        child.send("wait " + url);
        child.await("a connection", c -> c.lines("OPEN ").size() > open);
        happens.run();
        child.send("");
        awaitDone(url);
        return child.lines("FAILED ").size() == failed;
    }

    private void awaitDone(String url) {
        done++;
        child.await(url, c -> c.lines("DONE").size() >= done);
    }

    /** Fails if a printed line contains this secret or another one, or if the process has logged nothing. */
    public void assertUnseen(String... others) {
        List<String> log = child.problems();
        assertThat(log).as("the log").isNotEmpty();
        List<String> hidden = new ArrayList<>(List.of(others));
        hidden.add(SECRET);
        assertThat(Stream.concat(child.lines().stream(), log.stream())
                        .filter(line -> hidden.stream().anyMatch(line::contains)))
                .isEmpty();
    }

    @Override
    public void close() {
        child.close();
    }
}
