/** Videos that are converted by jobs, with progress, log, result, priorities and cancel. */
@NullMarked
package dev.jono.examples.videos;

import org.jspecify.annotations.NullMarked;
