/** A pipeline that sorts the lines of an access log. */
@NullMarked
package dev.jono.examples.pipeline;

import org.jspecify.annotations.NullMarked;
