/**
 * The backends {@code bucket-mongo-safe} and {@code bucket-mongo}: many messages in one document, a bucket. Applications
 * name them in a URL and need nothing of this package.
 */
@NullMarked
package dev.jono.backend.bucketmongo;

import org.jspecify.annotations.NullMarked;
