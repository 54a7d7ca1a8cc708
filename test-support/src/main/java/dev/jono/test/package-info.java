/** Support for tests of applications that use Jono: {@link dev.jono.test.JonoTest} and assertions. */
@NullMarked
package dev.jono.test;

import org.jspecify.annotations.NullMarked;
