@NullMarked
package dev.jono.support.postgres;

import org.jspecify.annotations.NullMarked;
