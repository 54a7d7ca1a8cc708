/** What Spring applications use: annotations for listeners, jobs and queues, and hooks. */
@NullMarked
package dev.jono.spring;

import org.jspecify.annotations.NullMarked;
