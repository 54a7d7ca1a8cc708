/** The dashboard at a path of the application's web server. */
@NullMarked
package dev.jono.spring.dashboard;

import org.jspecify.annotations.NullMarked;
