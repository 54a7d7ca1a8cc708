/** A dispatcher that delivers webhooks, with retries and a dead letter. */
@NullMarked
package dev.jono.examples.webhooks;

import org.jspecify.annotations.NullMarked;
