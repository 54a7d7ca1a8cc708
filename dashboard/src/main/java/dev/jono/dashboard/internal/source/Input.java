package dev.jono.dashboard.internal.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.jono.dashboard.internal.http.Parameters;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** What a user wants to be done: the fields of a form on a page, or of a JSON object in REST. Immutable. */
public final class Input {
    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");
    private static final Map<String, Long> UNIT_MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    private final @Nullable Parameters form;
    private final @Nullable JsonNode json;

    private Input(@Nullable Parameters form, @Nullable JsonNode json) {
        this.form = form;
        this.json = json;
    }

    /** The fields of a form. */
    public static Input form(Request request) {
        return new Input(request.form(), null);
    }

    /** The fields of a JSON object. */
    public static Input json(Request request) {
        return json(request.json());
    }

    /** The fields of a JSON object. */
    public static Input json(JsonNode object) {
        if (!object.isObject()) {
            throw ProblemException.bad("a JSON object is expected");
        }
        return new Input(null, object);
    }

    /** One field. */
    public static Input of(String field, String value) {
        return new Input(null, JsonNodeFactory.instance.objectNode().put(field, value));
    }

    /** No fields. */
    public static Input none() {
        return new Input(Parameters.none(), null);
    }

    /** Refuses JSON with other fields than these, which would be ignored in silence. */
    public Input only(String... fields) {
        JsonNode object = json;
        if (object != null) {
            for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
                String name = names.next();
                if (!Arrays.asList(fields).contains(name)) {
                    throw ProblemException.bad(
                            "there is no field '" + name + "' here; there are " + String.join(", ", fields));
                }
            }
        }
        return this;
    }

    /** The text of a field; empty if it is missing or empty. */
    public Optional<String> text(String field) {
        Parameters parameters = form;
        if (parameters != null) {
            return parameters.get(field);
        }
        JsonNode value = node(field);
        if (value == null || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isValueNode()) {
            throw ProblemException.bad("'" + field + "' must be a text");
        }
        return Optional.of(value.asText()).filter(text -> !text.isEmpty());
    }

    /** The text of a field. */
    public String required(String field) {
        return text(field).orElseThrow(() -> ProblemException.bad("'" + field + "' is missing"));
    }

    /** The texts of a field that can occur several times. */
    public List<String> texts(String field) {
        Parameters parameters = form;
        if (parameters != null) {
            return parameters.all(field).stream()
                    .filter(text -> !text.isEmpty())
                    .toList();
        }
        JsonNode value = node(field);
        if (value == null || value.isNull()) {
            return List.of();
        }
        Stream<JsonNode> items = value.isArray() ? StreamSupport.stream(value.spliterator(), false) : Stream.of(value);
        return items.map(JsonNode::asText).toList();
    }

    /** A JSON value; null if it is missing, or this is a form. */
    public @Nullable JsonNode node(String field) {
        return json == null ? null : json.get(field);
    }

    /** A whole number. */
    public Optional<Integer> number(String field, int least, int most) {
        return text(field).map(text -> {
            try {
                int number = Integer.parseInt(text);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Refused below.
            }
            throw ProblemException.bad("'" + field + "' must be a number from " + least + " to " + most);
        });
    }

    /** A duration, such as 500ms, 10s, 2m, 1h, 7d, or as in ISO-8601. */
    public Optional<Duration> duration(String field) {
        return text(field).map(text -> {
            Matcher amount = AMOUNT.matcher(text.toLowerCase(Locale.ROOT));
            try {
                Duration duration = amount.matches()
                        ? Duration.ofMillis(
                                Math.multiplyExact(Long.parseLong(amount.group(1)), unitMillis(amount.group(2))))
                        : Duration.parse(text);
                if (!duration.isNegative()) {
                    return duration;
                }
            } catch (DateTimeParseException | ArithmeticException e) {
                // Refused below.
            }
            throw ProblemException.bad(
                    "'" + field + "' must be a duration such as 500ms, 10s, 2m, 1h or 7d, not '" + text + "'");
        });
    }

    private static long unitMillis(String unit) {
        return UNIT_MILLIS.getOrDefault(unit, 1L);
    }

    /** An instant, as in ISO-8601. */
    public Optional<Instant> instant(String field) {
        return text(field).map(text -> {
            try {
                return Instant.parse(text);
            } catch (DateTimeParseException e) {
                throw ProblemException.bad(
                        "'" + field + "' must be an instant such as 2026-05-01T12:00:00Z, not '" + text + "'");
            }
        });
    }
}
