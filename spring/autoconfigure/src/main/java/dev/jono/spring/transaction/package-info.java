/** Pushes that are sent after the transaction of the application has been committed. Uses Spring's transactions. */
@NullMarked
package dev.jono.spring.transaction;

import org.jspecify.annotations.NullMarked;
