/** MongoDB and its clients, stopped, killed, cut off and out of disk space. */
@NullMarked
package dev.jono.e2e.mongo;

import org.jspecify.annotations.NullMarked;
