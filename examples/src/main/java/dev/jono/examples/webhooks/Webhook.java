package dev.jono.examples.webhooks;

import java.net.URI;

/**
 * Something to tell somebody.
 *
 * @param url whom to tell
 * @param body what to tell, JSON
 */
public record Webhook(URI url, String body) {}
