package dev.jono.examples.webhooks;

import java.net.URI;

/**
 * A notification to a receiver.
 *
 * @param url the receiver
 * @param body the JSON to send
 */
public record Webhook(URI url, String body) {}
