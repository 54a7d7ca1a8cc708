@NullMarked
package dev.jono.backend.postgres;

import org.jspecify.annotations.NullMarked;
