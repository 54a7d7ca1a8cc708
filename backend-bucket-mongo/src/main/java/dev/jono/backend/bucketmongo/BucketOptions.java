package dev.jono.backend.bucketmongo;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.util.Set;

/**
 * The URL options of this backend in addition to those of all MongoDB backends. They have keuss's names.
 *
 * @param maxMessages {@code jono.bucket_max_size}: the most messages of a bucket
 */
record BucketOptions(int maxMessages) {
    private static final String MAX_SIZE = "bucket_max_size";
    private static final int MAX_MESSAGES = 100_000;

    /** The names of the options. */
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
        } catch (NumberFormatException malformed) {
            // reported below
        }
        throw new ConfigurationException(
                "option jono." + MAX_SIZE + ": '" + text + "' is not a number from 1 to " + MAX_MESSAGES);
    }
}
