@NullMarked
package dev.jono.backend.keusspostgres;

import org.jspecify.annotations.NullMarked;
