/** The REST API, version 1. */
@NullMarked
package dev.jono.dashboard.internal.rest;

import org.jspecify.annotations.NullMarked;
