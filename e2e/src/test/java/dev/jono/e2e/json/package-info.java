@NullMarked
package dev.jono.e2e.json;

import org.jspecify.annotations.NullMarked;
