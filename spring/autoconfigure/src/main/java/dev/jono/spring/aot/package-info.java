/** Hints for native images: what Spring's ahead-of-time processing cannot find out by itself. */
@NullMarked
package dev.jono.spring.aot;

import org.jspecify.annotations.NullMarked;
