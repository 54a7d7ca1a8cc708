@NullMarked
package dev.jono.cli;

import org.jspecify.annotations.NullMarked;
