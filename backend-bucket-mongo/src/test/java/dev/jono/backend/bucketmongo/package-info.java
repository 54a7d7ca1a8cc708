/** Tests of the backends {@code bucket-mongo-safe} and {@code bucket-mongo}. */
@NullMarked
package dev.jono.backend.bucketmongo;

import org.jspecify.annotations.NullMarked;
