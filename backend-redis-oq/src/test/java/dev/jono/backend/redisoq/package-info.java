/** Tests of the backend redis-oq, against a real Redis. */
@NullMarked
package dev.jono.backend.redisoq;

import org.jspecify.annotations.NullMarked;
