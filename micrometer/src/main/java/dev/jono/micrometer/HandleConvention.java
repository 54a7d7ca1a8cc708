package dev.jono.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names the observation of a handler, and says what it contains. {@link OpenTelemetryHandleConvention} is the default. */
public interface HandleConvention extends ObservationConvention<HandleContext> {
    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof HandleContext;
    }
}
