/** Tests of the signaller {@code mongo-capped}. */
@NullMarked
package dev.jono.signal.mongocapped;

import org.jspecify.annotations.NullMarked;
