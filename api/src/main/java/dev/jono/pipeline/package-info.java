/** Pipelines: messages that wander from queue to queue through processors, each step safe against the death of a process. */
@NullMarked
package dev.jono.pipeline;

import org.jspecify.annotations.NullMarked;
