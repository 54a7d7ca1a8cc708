package dev.jono.backend.bucketmongo;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import dev.jono.spi.PluginConfig;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.MongoProvider;
import java.util.Set;

/** What the providers of both backend types have in common. */
abstract class BucketProvider extends MongoProvider {
    /** What the backend type offers. A method, so that looking up providers loads no class of the driver. */
    abstract Profile profile();

    @Override
    public final Set<Capability> capabilities() {
        return profile().capabilities();
    }

    @Override
    public final Backend open(PluginConfig config) {
        BucketOptions.parse(config.url()); // refuses a wrong option before a connection is opened
        return new BucketBackend(MongoLink.open(config, BucketOptions.NAMES), config, profile());
    }
}
