@NullMarked
package dev.jono.e2e.jobs;

import org.jspecify.annotations.NullMarked;
