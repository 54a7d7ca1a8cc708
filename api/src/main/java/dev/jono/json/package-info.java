/**
 * JSON codecs, based on Jackson. {@link dev.jono.json.JsonCodecs} makes codecs with an application's own mapper, or with
 * modules of Jackson. Other applications do not need this package.
 */
@NullMarked
package dev.jono.json;

import org.jspecify.annotations.NullMarked;
