/** Tests of the job store on MongoDB. */
@NullMarked
package dev.jono.jobs.mongo;

import org.jspecify.annotations.NullMarked;
