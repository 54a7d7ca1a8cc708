/**
 * What the tests of Jono's modules for MongoDB share: databases and users on the testkit's servers, fixtures of keuss, and
 * checks that several modules run. Not published.
 */
@NullMarked
package dev.jono.support.mongo.testing;

import org.jspecify.annotations.NullMarked;
