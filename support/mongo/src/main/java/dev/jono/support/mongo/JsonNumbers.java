package dev.jono.support.mongo;

import java.math.BigDecimal;
import org.bson.types.Decimal128;

/** The JSON texts of BSON's numbers. Stateless. */
final class JsonNumbers {
    private static final double MAX_INTEGER = 9.2e18;

    private JsonNumbers() {}

    /**
     * The text of a double. A whole number beyond 32 bits is written as an integer, because keuss stores such integers
     * as doubles. A smaller whole number stays a double. NaN and infinity, which JSON does not have, become strings.
     */
    static String text(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return '"' + Double.toString(value) + '"';
        }
        if (value == Math.rint(value) && Math.abs(value) <= MAX_INTEGER && Math.abs(value) > Integer.MAX_VALUE) {
            return value == Integer.MIN_VALUE ? Double.toString(value) : Long.toString((long) value);
        }
        return Double.toString(value);
    }

    /** The text of a decimal; a string if it is NaN or infinite. */
    static String text(Decimal128 value) {
        if (value.isNaN() || value.isInfinite()) {
            return '"' + value.toString() + '"';
        }
        if (value.isNegative() && value.compareTo(new Decimal128(0)) == 0) {
            return "-0"; // BigDecimal has none
        }
        BigDecimal exact = value.bigDecimalValue();
        return exact.toString();
    }
}
