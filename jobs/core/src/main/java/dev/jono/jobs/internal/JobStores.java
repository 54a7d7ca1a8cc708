package dev.jono.jobs.internal;

import dev.jono.Capability;
import dev.jono.ConfigurationException;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.JobStoreProvider;
import dev.jono.spi.ConnectedFactory;
import java.util.EnumSet;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

/** Finds the job store for the backend of a factory. */
final class JobStores {
    private static final Map<String, String> ARTIFACTS = Map.of(
            "sqlite", "dev.jono:jono-jobs-sqlite",
            "redis-oq", "dev.jono:jono-jobs-redis",
            "mongo", "dev.jono:jono-jobs-mongo",
            "ps-mongo", "dev.jono:jono-jobs-mongo",
            "postgres", "dev.jono:jono-jobs-postgres");

    private JobStores() {}

    static JobStore open(ConnectedFactory jono) {
        String backend = jono.backend();
        Set<Capability> missing = EnumSet.of(
                Capability.RESERVE, Capability.SCHEDULE, Capability.REMOVE, Capability.BROWSE, Capability.EDIT);
        missing.removeAll(jono.capabilities());
        if (!missing.isEmpty()) {
            throw new ConfigurationException("the backend '" + backend + "' has no jobs: it lacks " + missing);
        }
        return provider(jono).open(jono.companionConfig());
    }

    private static JobStoreProvider provider(ConnectedFactory jono) {
        Set<String> known = new TreeSet<>();
        for (ClassLoader loader : jono.pluginLoaders()) {
            try {
                for (JobStoreProvider provider : ServiceLoader.load(JobStoreProvider.class, loader)) {
                    known.addAll(provider.backends());
                    if (provider.backends().contains(jono.backend())) {
                        return provider;
                    }
                }
            } catch (ServiceConfigurationError foreign) {
                // The loader has its own copy of Jono, whose providers cannot be used here.
                known.add("(not usable: " + foreign.getMessage() + ")");
            }
        }
        String artifact = ARTIFACTS.get(jono.backend());
        throw new ConfigurationException(
                "no job store for the backend '" + jono.backend() + "' on the class path; found: "
                        + String.join(", ", known) + (artifact == null ? "" : "; add the artifact " + artifact));
    }
}
