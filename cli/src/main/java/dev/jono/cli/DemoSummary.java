package dev.jono.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of one act of the demo.
 *
 * @param act its name
 * @param rows the rows of the closing table
 * @param fields the same for programs, by name
 * @param wrong the names of the rows whose checks have failed
 */
record DemoSummary(String act, List<String> rows, Map<String, Number> fields, List<String> wrong) {
    boolean isClean() {
        return wrong.isEmpty();
    }

    /** A number, by the name of its field. */
    long number(String field) {
        Number number = fields.get(field);
        if (number == null) {
            throw new IllegalArgumentException("no field " + field);
        }
        return number.longValue();
    }

    /** Writes the summary as a field of a JSON object. */
    void write(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart(act);
        for (Map.Entry<String, Number> field : fields.entrySet()) {
            if (field.getValue() instanceof Double decimal) {
                json.writeNumberField(field.getKey(), Math.rint(decimal * 1e3) / 1e3);
            } else {
                json.writeNumberField(field.getKey(), field.getValue().longValue());
            }
        }
        json.writeArrayFieldStart("wrong");
        for (String name : wrong) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Collects the rows of a summary. Not thread-safe. */
    static final class Builder {
        private final String act;
        private final List<String> rows = new ArrayList<>();
        private final Map<String, Number> fields = new LinkedHashMap<>();
        private final List<String> wrong = new ArrayList<>();

        Builder(String act) {
            this.act = act;
        }

        /** Adds a field without a row. */
        Builder field(String field, Number number) {
            fields.put(field, number);
            return this;
        }

        /** Adds a number that can have any value. */
        Builder fact(String field, String name, long number, String remark) {
            return check(field, name, number, remark, true);
        }

        /** Adds a number that was checked. */
        Builder check(String field, String name, long number, String remark, boolean good) {
            return row(name, String.format(Locale.ROOT, "%,11d", number), remark, good)
                    .field(field, number);
        }

        /** Adds a row with a text that was checked. */
        Builder row(String name, String text, String remark, boolean good) {
            if (!good) {
                wrong.add(name.strip());
            }
            String row = String.format(
                    Locale.ROOT,
                    "%-24s %s%s%s",
                    name,
                    text,
                    remark.isEmpty() ? "" : "   " + remark,
                    good ? "" : "   WRONG");
            rows.add(row);
            return this;
        }

        DemoSummary build() {
            return new DemoSummary(act, List.copyOf(rows), fields, List.copyOf(wrong));
        }
    }
}
