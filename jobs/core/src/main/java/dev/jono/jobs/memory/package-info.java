/** Records of jobs in the memory of this process, for the backend {@code memory}. */
@NullMarked
package dev.jono.jobs.memory;

import org.jspecify.annotations.NullMarked;
