/**
 * JSON payloads, where Jackson's types may show: {@link dev.jono.json.JsonCodecs} makes codecs with a mapper of the
 * application's, or with Jackson's modules. Applications whose types need neither do not need this package.
 */
@NullMarked
package dev.jono.json;

import org.jspecify.annotations.NullMarked;
