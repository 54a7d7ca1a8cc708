package dev.jono.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.PushOptions;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queues and messages by REST. */
class RestQueuesTest extends DashboardCase {
    private static final String ORDERS = "/api/v1/queues/orders";

    private static List<String> names(JsonNode queues) {
        List<String> names = new ArrayList<>();
        queues.forEach(queue -> names.add(queue.path("queue").asText()));
        return names;
    }

    @Test
    void queuesAreListedInPagesWithTheirNumbers() {
        for (String name : List.of("a", "b", "c")) {
            raw(name).push(jsonPayload("1"));
        }
        raw("b").push(jsonPayload("2"), PushOptions.delay(Duration.ofHours(1)));
        jobs.enqueue(RESIZE, "x.png");
        JsonNode first = site.json("/api/v1/queues?limit=2");
        assertThat(names(first.path("queues"))).containsExactly("a", "b");
        assertThat(first.path("queues").get(1).path("ready").asLong()).isEqualTo(1);
        assertThat(first.path("queues").get(1).path("scheduled").asLong()).isEqualTo(1);
        JsonNode second =
                site.json("/api/v1/queues?limit=2&after=" + first.path("next").asText());
        assertThat(names(second.path("queues"))).containsExactly("c");
        assertThat(second.has("next")).isFalse();
        assertThat(names(site.json("/api/v1/queues?name=B").path("queues"))).containsExactly("b");
        assertThat(names(site.json("/api/v1/queues?jobs=true").path("queues"))).containsExactly("{jobs:resize}:normal");
    }

    @Test
    void messageIsPushedLookedAtMovedAndRemoved() {
        HttpResponse<String> pushed = site.json("POST", ORDERS + "/messages", """
                {"payload": {"id": 12345678901234567890}, "headers": {"tenant": "acme", "big": 9007199254740993}, "delay": "1h"}""");
        assertThat(pushed.statusCode()).isEqualTo(201);
        String id = Site.parse(pushed.body()).path("id").asText();
        JsonNode message = site.json(ORDERS + "/messages/" + id);
        assertThat(message.path("state").asText()).isEqualTo("scheduled");
        assertThat(message.path("payload").path("json").toString()).isEqualTo("{\"id\":12345678901234567890}");
        assertThat(message.path("headers").path("tenant").asText()).isEqualTo("acme");
        assertThat(message.path("headers").path("big").asLong()).isEqualTo(9007199254740993L);

        assertThat(site.json("POST", ORDERS + "/messages/" + id + "/reschedule", "{\"delay\": \"0s\"}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(site.json(ORDERS + "/messages?state=ready").path("messages")).hasSize(1);
        assertThat(site.json("POST", ORDERS + "/messages/" + id + "/move", "{\"to\": \"other/queue\"}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(site.get(ORDERS + "/messages/" + id).statusCode()).isEqualTo(404);
        assertThat(raw("other/queue").totalSize()).isEqualTo(1);
        String moved = "/api/v1/queues/other!2Fqueue/messages/" + id;
        assertThat(site.text(moved + "/payload")).isEqualTo("{\"id\":12345678901234567890}");
        assertThat(site.send("DELETE", moved, "", "").statusCode()).isEqualTo(204);
        assertThat(raw("other/queue").totalSize()).isZero();
    }

    @Test
    void heldMessageIsLeftAlone() throws InterruptedException {
        raw("orders").push(jsonPayload("1"));
        Reservation<?> held = raw("orders").reserve(Duration.ZERO).orElseThrow();
        HttpResponse<String> removed = site.send("DELETE", ORDERS + "/messages/" + held.id(), "", "");
        assertThat(removed.statusCode()).isEqualTo(409);
        assertThat(Site.parse(removed.body()).path("detail").asText()).contains(held.id(), "held by a consumer");
        held.ack();
    }

    @Test
    void duplicateIsTold() {
        String body = "{\"payload\": 1, \"unique\": \"img-7\"}";
        String first = Site.parse(site.json("POST", ORDERS + "/messages", body).body())
                .path("id")
                .asText();
        HttpResponse<String> second = site.json("POST", ORDERS + "/messages", body);
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(Site.parse(second.body()).path("duplicate").asBoolean()).isTrue();
        assertThat(Site.parse(second.body()).path("id").asText()).isEqualTo(first);
    }

    @Test
    void queueIsPausedResumedAndPurged() {
        raw("orders").push(jsonPayload("1"));
        assertThat(site.json("PUT", ORDERS + "/paused", "true").statusCode()).isEqualTo(204);
        assertThat(raw("orders").isPaused()).isTrue();
        assertThat(site.json(ORDERS).path("paused").asBoolean()).isTrue();
        assertThat(site.json("PUT", ORDERS + "/paused", "false").statusCode()).isEqualTo(204);
        assertThat(raw("orders").isPaused()).isFalse();
        assertThat(Site.parse(site.json("POST", ORDERS + "/purge", "").body())
                        .path("purged")
                        .asLong())
                .isEqualTo(1);
        assertThat(raw("orders").totalSize()).isZero();
    }

    @Test
    void emptyQueueIsResumed() {
        raw("orders").pause();
        assertThat(site.json(ORDERS).path("paused").asBoolean()).isTrue();
        assertThat(site.json("PUT", ORDERS + "/paused", "false").statusCode()).isEqualTo(204);
        assertThat(raw("orders").isPaused()).isFalse();
        HttpResponse<String> missing = site.json("PUT", ORDERS + "/paused", "true");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(Site.parse(missing.body()).path("detail").asText()).contains("holds no message, and is not paused");
    }

    @Test
    void deadLettersAreSentBack() throws InterruptedException {
        QueueOptions options = QueueOptions.builder()
                .deadLetter(DeadLetter.after(1).queue("dead"))
                .build();
        var orders = jono.queue("orders", Codec.raw(), options);
        for (int i = 0; i < 3; i++) {
            orders.push(jsonPayload("1"));
            orders.reserve(Duration.ZERO).orElseThrow().reject("no such customer");
        }
        JsonNode letters = site.json("/api/v1/queues/dead/messages").path("messages");
        assertThat(letters).hasSize(3);
        assertThat(letters.get(0).path("headers").path("x-dl-from-queue").asText())
                .isEqualTo("orders");
        String first = letters.get(0).path("id").asText();
        assertThat(site.json("POST", "/api/v1/queues/dead/messages/" + first + "/redrive", "")
                        .statusCode())
                .isEqualTo(204);
        assertThat(Site.parse(site.json("POST", "/api/v1/queues/dead/redrive?max=1", "")
                                .body())
                        .path("redriven")
                        .asLong())
                .isEqualTo(1);
        assertThat(orders.totalSize()).isEqualTo(2);
    }

    @Test
    void wrongFieldsAreNamed() {
        HttpResponse<String> refused = site.json("POST", ORDERS + "/messages", "{\"payload\": 1, \"prio\": 3}");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(Site.parse(refused.body()).path("detail").asText()).contains("'prio'", "payload, kind");
        assertThat(raw("orders").totalSize()).isZero();
    }
}
