package dev.jono.backend.bucketmongo;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.util.Set;

/**
 * The options that buckets have beyond those of all backends on MongoDB, by keuss's names.
 *
 * @param maxMessages {@code jono.bucket_max_size}: the most messages of a bucket
 */
record BucketOptions(int maxMessages) {
    private static final String MAX_SIZE = "bucket_max_size";
    private static final int MAX_MESSAGES = 100_000;

    /** Their names. */
    static final Set<String> NAMES = Set.of(MAX_SIZE);

    static BucketOptions parse(ConnectionUrl url) {
        String text = url.option(MAX_SIZE);
        if (text == null) {
            return new BucketOptions(1024);
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= MAX_MESSAGES) {
                return new BucketOptions(number);
            }
        } catch (NumberFormatException other) {
            // told below
        }
        throw new ConfigurationException("option jono." + MAX_SIZE + ": '" + text + "' is no number from 1 to " + MAX_MESSAGES);
    }
}
