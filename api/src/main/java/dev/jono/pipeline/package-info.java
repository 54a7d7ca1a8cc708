/** Pipelines: links move messages from queue to queue through processors. No step loses a message when a process dies. */
@NullMarked
package dev.jono.pipeline;

import org.jspecify.annotations.NullMarked;
