/**
 * What Jono's modules for MongoDB share: connections ({@link dev.jono.support.mongo.MongoLink}), options, transactions,
 * the server's clock, and the BSON in which messages are stored.
 *
 * <p>Applications use {@link dev.jono.support.mongo.MongoStorage} alone, to hand in a client of theirs; all else may
 * change with any version.
 */
@NullMarked
package dev.jono.support.mongo;

import org.jspecify.annotations.NullMarked;
