/** The auto-configuration of queues, listeners and jobs, its properties, and the analysis of failures at start. */
@NullMarked
package dev.jono.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
