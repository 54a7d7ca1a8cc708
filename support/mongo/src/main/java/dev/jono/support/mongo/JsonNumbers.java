package dev.jono.support.mongo;

import java.math.BigDecimal;
import org.bson.types.Decimal128;

/** Numbers of BSON as JSON shows them. */
final class JsonNumbers {
    private static final double LARGEST = 9.2e18;

    private JsonNumbers() {}

    /**
     * A double. One that is a whole number beyond 32 bits is what keuss makes of an integer, and is shown as one; a smaller
     * whole one was made as a double on purpose. What JSON has no number for (NaN, infinity) is a quoted text.
     */
    static String text(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return '"' + Double.toString(value) + '"';
        }
        if (value == Math.rint(value) && Math.abs(value) <= LARGEST && Math.abs(value) > Integer.MAX_VALUE) {
            return value == Integer.MIN_VALUE ? Double.toString(value) : Long.toString((long) value);
        }
        return Double.toString(value);
    }

    /** A decimal; quoted where it is no number. */
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
