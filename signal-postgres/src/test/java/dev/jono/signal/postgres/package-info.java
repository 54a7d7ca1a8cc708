@NullMarked
package dev.jono.signal.postgres;

import org.jspecify.annotations.NullMarked;
