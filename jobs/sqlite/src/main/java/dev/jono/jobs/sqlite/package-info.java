/** Records of jobs in the SQLite file of the queues. */
@NullMarked
package dev.jono.jobs.sqlite;

import org.jspecify.annotations.NullMarked;
