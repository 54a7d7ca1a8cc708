/**
 * The backends {@code bucket-mongo-safe} and {@code bucket-mongo}: MongoDB documents, called buckets, that hold many messages
 * each. Applications name the backends in a URL and need nothing of this package.
 */
@NullMarked
package dev.jono.backend.bucketmongo;

import org.jspecify.annotations.NullMarked;
