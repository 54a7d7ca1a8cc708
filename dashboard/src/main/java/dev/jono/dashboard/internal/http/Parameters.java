package dev.jono.dashboard.internal.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parameters of a query or of a form. A name can occur several times. Immutable. */
public final class Parameters {
    private final Map<String, List<String>> values;

    private Parameters(Map<String, List<String>> values) {
        this.values = values;
    }

    /** Reads {@code a=1&b=2}. */
    static Parameters parse(@Nullable String encoded) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String pair : encoded == null ? new String[0] : encoded.split("&")) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = UrlText.ofParameter(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : UrlText.ofParameter(pair.substring(equals + 1));
                values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
            }
        }
        return new Parameters(values);
    }

    /** No parameters. */
    public static Parameters none() {
        return new Parameters(Map.of());
    }

    /** The first value of this name that is not empty. */
    public Optional<String> get(String name) {
        return all(name).stream().filter(value -> !value.isEmpty()).findFirst();
    }

    /** All values of this name. */
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** The value of this name. */
    public String required(String name) {
        return get(name).orElseThrow(() -> ProblemException.bad("'" + name + "' is missing"));
    }

    /** The number of this name, or another one if there is none. */
    public int number(String name, int otherwise, int least, int most) {
        Optional<String> text = get(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw ProblemException.bad("'" + name + "' must be a number from " + least + " to " + most);
    }

    /** Whether the value of this name is true. */
    public boolean flag(String name) {
        return get(name)
                .filter(value -> value.equals("true") || value.equals("1") || value.equals("on"))
                .isPresent();
    }
}
