/** The pages. Their classes are generated from {@code src/main/jte}. */
@NullMarked
package dev.jono.dashboard.internal.templates;

import org.jspecify.annotations.NullMarked;
