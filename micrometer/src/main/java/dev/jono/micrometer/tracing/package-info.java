/** Links between the spans of batches and those of their messages, for Micrometer Tracing. */
@NullMarked
package dev.jono.micrometer.tracing;

import org.jspecify.annotations.NullMarked;
