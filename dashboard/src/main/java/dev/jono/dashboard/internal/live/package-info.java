/** Pages that stay up to date: streams of server-sent events. Each runs on the thread of its request. */
@NullMarked
package dev.jono.dashboard.internal.live;

import org.jspecify.annotations.NullMarked;
