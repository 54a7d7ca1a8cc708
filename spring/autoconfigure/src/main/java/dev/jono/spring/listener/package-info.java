/**
 * The infrastructure of listeners: endpoints that methods or programs declare, containers that run them, and the registry that starts and
 * stops the containers. Uses {@code dev.jono.spring}.
 */
@NullMarked
package dev.jono.spring.listener;

import org.jspecify.annotations.NullMarked;
