package dev.jono.spring;

import dev.jono.spring.autoconfigure.JonoProperties;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** The properties that the records bind. */
public final class BoundProperties {
    /** A property, or a group of properties if the type is a record. */
    public record Bound(String name, Class<?> type) {
        public boolean isGroup() {
            return type.isRecord();
        }
    }

    private BoundProperties() {}

    /** All properties and groups below {@code jono}. */
    public static Stream<Bound> all() {
        return below("jono", JonoProperties.class);
    }

    /** The properties and groups of a record. */
    public static Stream<Bound> below(String prefix, Class<?> group) {
        return Arrays.stream(group.getRecordComponents()).flatMap(component -> {
            Bound bound = bound(prefix, component);
            return Stream.concat(
                    Stream.of(bound), bound.isGroup() ? below(bound.name(), bound.type()) : Stream.empty());
        });
    }

    private static Bound bound(String prefix, RecordComponent component) {
        return new Bound(prefix + "." + DataObjectPropertyName.toDashedForm(component.getName()), component.getType());
    }
}
