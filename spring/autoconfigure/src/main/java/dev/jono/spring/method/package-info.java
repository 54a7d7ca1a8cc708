/**
 * Finds methods of beans by their annotations, and invokes them with payloads. What listeners and jobs share; not for applications.
 */
@NullMarked
package dev.jono.spring.method;

import org.jspecify.annotations.NullMarked;
