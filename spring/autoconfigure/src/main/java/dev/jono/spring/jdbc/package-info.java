/** Finds JDBC transactions that pushes can join. Uses Spring's JDBC support, and the backends on databases with JDBC. */
@NullMarked
package dev.jono.spring.jdbc;

import org.jspecify.annotations.NullMarked;
