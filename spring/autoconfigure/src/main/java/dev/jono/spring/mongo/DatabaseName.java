package dev.jono.spring.mongo;

import org.jspecify.annotations.Nullable;

/** A place that names the database of the application. */
@FunctionalInterface
interface DatabaseName {
    /** The name; null if it is not set there. */
    @Nullable String find();
}
