/** Tests of the dashboard, through HTTP. */
@NullMarked
package dev.jono.dashboard;

import org.jspecify.annotations.NullMarked;
