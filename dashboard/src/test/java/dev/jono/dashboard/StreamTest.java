package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The streams of events that keep pages up to date. */
class StreamTest extends DashboardCase {
    private static final int MAX_STREAMS = 64;

    /** An open stream; reads one event after the other. */
    private final class Events implements AutoCloseable {
        private final BufferedReader in;

        Events(String query) throws IOException {
            in = new BufferedReader(new InputStreamReader(
                    URI.create(site.url("/api/v1/events" + query)).toURL().openStream(), StandardCharsets.UTF_8));
        }

        /** The data of the next event of a kind for which something holds. */
        JsonNode await(String kind, Predicate<JsonNode> holds) throws IOException {
            String event = "";
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("event: ")) {
                    event = line.substring(7);
                } else if (line.startsWith("data: ") && event.equals(kind)) {
                    JsonNode data = Site.parse(line.substring(6));
                    if (holds.test(data)) {
                        return data;
                    }
                }
            }
            throw new AssertionError("the stream has ended");
        }

        boolean ends() throws IOException {
            while (in.readLine() != null) {
                // what was sent before the end
            }
            return true;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    @Test
    void streamOfAQueueTellsChanges() throws IOException {
        raw("orders").push(jsonPayload("1"));
        try (Events events = new Events("?queue=orders")) {
            assertThat(events.await("queue", data -> true).path("ready").asLong())
                    .isEqualTo(1);
            raw("orders").push(jsonPayload("2"));
            raw("orders").pause();
            JsonNode changed = events.await("queue", data -> data.path("paused").asBoolean());
            assertThat(changed.path("ready").asLong()).isEqualTo(2);
        }
    }

    @Test
    void streamOfAJobTellsProgress() throws IOException {
        String id = jobs.enqueue(RESIZE, "x").id();
        try (Events events = new Events("?job=" + id)) {
            events.await("job", data -> data.path("state").asText().equals("waiting"));
            jobs.runner()
                    .handle(RESIZE, (file, run) -> {
                        run.progress(3, 4);
                        return file;
                    })
                    .start();
            JsonNode done =
                    events.await("job", data -> data.path("state").asText().equals("succeeded"));
            assertThat(done.path("percent").asInt()).isEqualTo(75);
        }
    }

    @Test
    void streamOfTheStorageTellsRates() throws IOException {
        try (Events events = new Events("")) {
            events.await("overview", data -> true);
            raw("orders").push(jsonPayload("1"));
            events.await("overview", data -> data.path("ready").asLong() == 1);
            raw("orders").push(jsonPayload("2"));
            JsonNode busy = events.await("overview", data -> data.path("in").asDouble() > 0);
            assertThat(busy.path("history").size()).isGreaterThan(1);
        }
    }

    @Test
    void closedDashboardEndsItsStreams() throws IOException {
        raw("orders").push(jsonPayload("1"));
        try (Events events = new Events("?queue=orders")) {
            events.await("queue", data -> true);
            site.closeDashboard();
            assertThat(events.ends()).isTrue();
        }
    }

    @Test
    void unknownTopicsAndTooManyStreamsAreRefused() throws IOException {
        assertThat(site.get("/api/v1/events?job=resize:none").statusCode()).isEqualTo(404);
        List<Events> open = new ArrayList<>();
        try {
            for (int i = 0; i < MAX_STREAMS; i++) {
                Events events = new Events("");
                open.add(events);
                events.await("overview", data -> true);
            }
            assertThat(site.get("/api/v1/events").statusCode()).isEqualTo(503);
        } finally {
            for (Events events : open) {
                events.close();
            }
        }
    }
}
