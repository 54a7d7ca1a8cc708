@NullMarked
package dev.jono.support.mongo;

import org.jspecify.annotations.NullMarked;
