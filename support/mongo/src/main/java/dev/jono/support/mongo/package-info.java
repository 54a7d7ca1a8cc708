/**
 * What Jono's modules for MongoDB share: bases of backends, connections ({@link dev.jono.support.mongo.MongoLink}), options, transactions,
 * repeatable writes, the server's clock, and the BSON of messages. Uses the SPI and the MongoDB driver. Its calls block
 * the calling thread.
 *
 * <p>Applications use only {@link dev.jono.support.mongo.MongoStorage}, to hand in a client of their own; everything
 * else may change with any version.
 */
@NullMarked
package dev.jono.support.mongo;

import org.jspecify.annotations.NullMarked;
