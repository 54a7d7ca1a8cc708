/**
 * The backends {@code mongo}, {@code pl-mongo} and {@code ps-mongo}: a document per message, in the layouts of keuss 2.x.
 * They differ in where a queue's documents are and in what consuming one means ({@code Layout}); all else is shared.
 */
@NullMarked
package dev.jono.backend.mongo;

import org.jspecify.annotations.NullMarked;
