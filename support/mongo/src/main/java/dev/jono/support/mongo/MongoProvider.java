package dev.jono.support.mongo;

import dev.jono.spi.BackendProvider;
import java.util.Optional;

/** Base of the providers of backends on MongoDB: names the default signaller and stats. */
public abstract class MongoProvider implements BackendProvider {
    /** For subclasses. */
    protected MongoProvider() {}

    @Override
    public final Optional<String> defaultSignaller() {
        return Optional.of("mongo-capped");
    }

    @Override
    public final Optional<String> defaultStats() {
        return Optional.of("mongo");
    }
}
