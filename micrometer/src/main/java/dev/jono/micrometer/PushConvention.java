package dev.jono.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names the observation of a push, and says what it contains. {@link OpenTelemetryPushConvention} is the default. */
public interface PushConvention extends ObservationConvention<PushContext> {
    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof PushContext;
    }
}
