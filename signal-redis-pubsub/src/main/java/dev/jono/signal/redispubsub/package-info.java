/**
 * The signaller {@code redis-pubsub}: a channel per queue in the format of keuss 2.x, so that Node and Java processes
 * wake each other. Works with any backend.
 */
@NullMarked
package dev.jono.signal.redispubsub;

import org.jspecify.annotations.NullMarked;
