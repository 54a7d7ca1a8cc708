package dev.jono.dashboard.internal.source;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param items what is on the page
 * @param next the cursor of the next page; null if this is the last one
 * @param <T> the type of the items
 */
public record Page<T>(List<T> items, @Nullable String next) {}
