package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Looks for a secret in all that another process prints while it connects, is refused, and loses its connection. */
public final class Secrets implements AutoCloseable {
    /** What must not be seen. It stands in URLs as it is. */
    public static final String SECRET = "s3cr3t-7f";

    private final ChildJvm child = ChildJvm.start(SecretsChild.class);
    private int done;

    /** Connects and uses a queue; tells whether that went well. */
    public boolean works(String url) {
        int failed = child.lines("FAILED ").size();
        child.send(url);
        awaitDone(url);
        return child.lines("FAILED ").size() == failed;
    }

    /** Connects, lets something happen to the connection, then uses a queue; tells whether that went well. */
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

    /** Fails where a line that it printed holds the secret or another one, or it has logged nothing at all. */
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
