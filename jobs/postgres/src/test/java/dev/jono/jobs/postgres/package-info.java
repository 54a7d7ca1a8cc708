@NullMarked
package dev.jono.jobs.postgres;

import org.jspecify.annotations.NullMarked;
