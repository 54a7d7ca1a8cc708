/** The mails of a web shop: unique jobs, an order per customer, and a rate. */
@NullMarked
package dev.jono.examples.mails;

import org.jspecify.annotations.NullMarked;
