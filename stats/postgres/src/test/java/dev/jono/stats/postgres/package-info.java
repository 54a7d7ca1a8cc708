@NullMarked
package dev.jono.stats.postgres;

import org.jspecify.annotations.NullMarked;
