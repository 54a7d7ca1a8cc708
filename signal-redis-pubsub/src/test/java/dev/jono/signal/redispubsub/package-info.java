/** Tests of the signaller {@code redis-pubsub}. */
@NullMarked
package dev.jono.signal.redispubsub;

import org.jspecify.annotations.NullMarked;
