/** A shop: orders come in over HTTP, a listener ships them, and jobs write invoices. */
@NullMarked
package dev.jono.spring.sample;

import org.jspecify.annotations.NullMarked;
