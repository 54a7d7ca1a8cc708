package dev.jono.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jono.BackendInfo;
import dev.jono.Backoff;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.internal.core.QueueSettings;
import dev.jono.spring.BoundProperties;
import dev.jono.spring.BoundProperties.Bound;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** What editors show about the properties, from the file that the compiler generates. */
class MetadataTest {
    private static final String SENTENCE = "[A-Z].*\\w\\.";

    private static final JsonNode METADATA = read();

    /** The file of this module; other modules on the class path have one too. */
    private static JsonNode read() {
        try {
            ClassLoader loader = MetadataTest.class.getClassLoader();
            for (URL file : Collections.list(loader.getResources("META-INF/spring-configuration-metadata.json"))) {
                try (InputStream text = file.openStream()) {
                    JsonNode metadata = new ObjectMapper().readTree(text);
                    if (find(metadata, "groups", "jono").isPresent()) {
                        return metadata;
                    }
                }
            }
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
        throw new IllegalStateException("no metadata; the compiler must run spring-boot-configuration-processor");
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static Optional<JsonNode> find(JsonNode metadata, String kind, String name) {
        return stream(metadata.path(kind))
                .filter(entry -> entry.path("name").asText().equals(name))
                .findFirst();
    }

    private static JsonNode entry(String kind, String name) {
        return find(METADATA, kind, name).orElseThrow(() -> new AssertionError("no " + name + " in " + kind));
    }

    @Test
    void everyPropertyHasATypeAndADescription() {
        List<Bound> properties =
                BoundProperties.all().filter(bound -> !bound.isGroup()).toList();
        assertThat(properties).extracting(Bound::name).contains("jono.url", "jono.queue.backoff.max", "jono.queues");
        assertThat(properties).allSatisfy(property -> {
            JsonNode entry = entry("properties", property.name());
            assertThat(entry.path("type").asText()).isNotEmpty();
            assertThat(entry.path("description").asText()).matches(SENTENCE);
        });
    }

    /** The processor mixes up parameters if the name of one begins with that of another that follows it. */
    @Test
    void noPropertyHasTheDescriptionOfAnother() {
        List<String> descriptions = stream(METADATA.path("properties"))
                .filter(property -> property.path("name").asText().startsWith("jono.queue."))
                .map(property -> property.path("description").asText())
                .toList();
        assertThat(descriptions)
                .allSatisfy(description -> assertThat(descriptions)
                        .filteredOn(description::contains)
                        .hasSize(1));
    }

    @Test
    void everyGroupHasATypeAndADescription() {
        assertThat(BoundProperties.all().filter(Bound::isGroup))
                .isNotEmpty()
                .allSatisfy(group -> entry("groups", group.name()));
        assertThat(stream(METADATA.path("groups"))).allSatisfy(group -> {
            assertThat(group.path("type").asText()).isNotEmpty();
            assertThat(group.path("description").asText()).matches(SENTENCE);
        });
    }

    @Test
    void theDefaultsOfQueuesAreThoseOfTheEngine() {
        Map<String, String> defaults = new HashMap<>();
        stream(METADATA.path("properties"))
                .filter(property -> property.path("name").asText().startsWith("jono.queue."))
                .filter(property -> property.has("defaultValue"))
                .forEach(property -> defaults.put(
                        property.path("name").asText(),
                        property.path("defaultValue").asText()));
        assertThat(defaults).hasSize(13);
        QueueSettings written = QueueSettings.of(options(defaults));
        assertThat(written)
                .usingRecursiveComparison()
                .ignoringFields("backoff")
                .isEqualTo(QueueSettings.of(QueueOptions.none()));

        assertThat(defaults).containsEntry("jono.queue.backoff.jitter", "0.2");
        defaults.put("jono.queue.backoff.jitter", "0");
        Backoff full = Objects.requireNonNull(options(defaults).backoff());
        for (int attempt : new int[] {1, 2, 50}) {
            long millis = full.delay(attempt).toMillis();
            assertThat(Backoff.standard().delay(attempt).toMillis()).isBetween((long) (0.8 * millis) - 1, millis);
        }
    }

    private static QueueOptions options(Map<String, String> properties) {
        QueueProperties bound = new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("jono.queue", QueueProperties.class);
        return QueueOptionsMapper.options("jono.queue", bound, bound);
    }

    @Test
    void aHintForEachBackend() {
        List<String> backends =
                QueueFactory.backends().stream().map(BackendInfo::type).toList();
        assertThat(hints("jono.url").map(url -> url.substring(0, url.indexOf(':'))))
                .containsExactlyElementsOf(backends);
        assertThat(hints("jono.backend"))
                .as("the backends that can use a connection of the application")
                .containsExactlyElementsOf(backends.stream()
                        .filter(type -> !type.equals("memory") && !type.equals("sqlite"))
                        .toList());
        assertThat(hints("jono.queues.keys")).isEmpty();
    }

    /** Other values are allowed too. */
    private static Stream<String> hints(String property) {
        JsonNode hint = entry("hints", property);
        assertThat(hint.path("providers").findValuesAsText("name")).containsExactly("any");
        assertThat(stream(hint.path("values")))
                .allSatisfy(
                        value -> assertThat(value.path("description").asText()).matches(SENTENCE));
        return stream(hint.path("values")).map(value -> value.path("value").asText());
    }
}
