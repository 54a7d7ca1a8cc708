/** PostgreSQL and its clients: killed, replaced, cut off, without room, and behind a pooler. */
@NullMarked
package dev.jono.e2e.postgres;

import org.jspecify.annotations.NullMarked;
