/** The pages: what each shows, for the templates in {@code src/main/jte}, and the forms on them. */
@NullMarked
package dev.jono.dashboard.internal.page;

import org.jspecify.annotations.NullMarked;
