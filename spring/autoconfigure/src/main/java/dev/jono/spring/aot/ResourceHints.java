package dev.jono.spring.aot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** The files that Jono's modules read from the class path, where the application has these modules. */
final class ResourceHints implements RuntimeHintsRegistrar {
    private static final String[] FILES = {
        "dev/jono/backend/redislist/*.lua",
        "dev/jono/backend/redisoq/*.lua",
        "dev/jono/jobs/redis/*.lua",
        "dev/jono/stats/redis/*.lua",
        "dev/jono/support/postgres/*.sql",
        "dev/jono/dashboard/*.*"
    };

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classes) {
        for (String files : FILES) {
            hints.resources().registerPattern(files);
        }
    }
}
