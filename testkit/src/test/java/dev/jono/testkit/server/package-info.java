/** Tests of the test servers. */
@NullMarked
package dev.jono.testkit.server;

import org.jspecify.annotations.NullMarked;
