/** Tests of the backends {@code mongo}, {@code pl-mongo} and {@code ps-mongo}. */
@NullMarked
package dev.jono.backend.mongo;

import org.jspecify.annotations.NullMarked;
