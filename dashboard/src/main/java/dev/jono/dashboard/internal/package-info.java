/** The application behind {@link dev.jono.dashboard.Dashboard}: it finds the step for a request, and turns failures into answers. */
@NullMarked
package dev.jono.dashboard.internal;

import org.jspecify.annotations.NullMarked;
