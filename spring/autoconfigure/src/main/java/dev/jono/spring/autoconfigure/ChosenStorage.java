package dev.jono.spring.autoconfigure;

import dev.jono.BackendInfo;
import dev.jono.QueueFactory;
import dev.jono.Storage;
import dev.jono.spring.JonoConnectionDetails;
import dev.jono.spring.SharedStorage;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** The storage of the queues, and why it is this one: {@code jono.url}, or the one connection of the application that fits. */
record ChosenStorage(String url, @Nullable Storage storage) implements JonoConnectionDetails {
    @Override
    public String getUrl() {
        return url;
    }

    @Override
    public @Nullable Storage getStorage() {
        return storage;
    }

    /** Without the URL, which can contain a password. */
    @Override
    public String toString() {
        return storage == null ? "the storage of jono.url" : url + " on a connection of the application";
    }

    static ChosenStorage of(JonoProperties properties, List<SharedStorage> shared) {
        if (properties.url() != null) {
            refuse("jono.backend", properties.backend());
            refuse("jono.database", properties.database());
            refuse("jono.options", properties.options().isEmpty() ? null : properties.options());
            return new ChosenStorage(properties.url(), null);
        }
        List<Candidate> candidates = shared.stream()
                .flatMap(storage -> candidates(storage, properties.backend()))
                .toList();
        List<Candidate> usable = candidates.stream()
                .filter(candidate -> candidate.refusal() == null)
                .toList();
        if (usable.size() == 1) {
            Candidate only = usable.get(0);
            return new ChosenStorage(
                    only.backend() + ":" + query(properties.options()),
                    only.storage().storage());
        }
        throw usable.isEmpty() ? nothing(properties, shared, candidates) : ambiguous(usable);
    }

    private static void refuse(String property, @Nullable Object value) {
        if (value != null) {
            throw new InvalidConfigurationPropertyValueException(
                    property,
                    value,
                    "It is for a connection of the application, but jono.url is set. Put it into that URL.");
        }
    }

    private static String query(Map<String, String> options) {
        return options.entrySet().stream()
                .map(option ->
                        "jono." + option.getKey() + "=" + URLEncoder.encode(option.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&", options.isEmpty() ? "" : "?", ""));
    }

    /** A connection, a backend that would use it, and why that is not possible. */
    private record Candidate(
            SharedStorage storage, String backend, @Nullable String refusal) {}

    /** The backend that would use a connection: the one that is asked for, or the default among those on the class path. */
    private static Stream<Candidate> candidates(SharedStorage storage, @Nullable String wanted) {
        List<String> known = backends();
        return storage.backends().stream()
                .filter(known::contains)
                .filter(backend -> wanted == null || wanted.equals(backend))
                .limit(1)
                .map(backend -> new Candidate(storage, backend, storage.refusal()));
    }

    private static List<String> backends() {
        return QueueFactory.backends().stream().map(BackendInfo::type).sorted().toList();
    }

    private static StorageMissingException nothing(
            JonoProperties properties, List<SharedStorage> shared, List<Candidate> refused) {
        String known = "Backends on the class path: " + String.join(", ", backends()) + ".";
        String why = refused.isEmpty() ? "" : ": " + refused.get(0).refusal();
        if (properties.backend() != null) {
            return new StorageMissingException(
                    "jono.backend is '" + properties.backend() + "', and the application has no connection for it"
                            + why,
                    "Set jono.url instead, or add the connection. " + known);
        }
        String unused = shared.stream()
                .filter(storage -> storage.backends().stream().noneMatch(backends()::contains))
                .findFirst()
                .map(storage -> " To use the " + storage.name()
                        + " connection of the application, add a backend for it, such as jono-"
                        + artifact(storage.name()) + ".")
                .orElse("");
        return new StorageMissingException(
                "Jono does not know where to store messages: jono.url is not set, and the application has no Redis,"
                        + " MongoDB or PostgreSQL connection that a backend on the class path can use" + why,
                "Set jono.url, for example jono.url=sqlite:queues.db, or jono.url=memory: for a test. " + known
                        + unused);
    }

    private static String artifact(String storage) {
        return switch (storage) {
            case "Redis" -> "redis";
            case "MongoDB" -> "mongo";
            default -> "postgres";
        };
    }

    private static StorageMissingException ambiguous(List<Candidate> candidates) {
        String all = candidates.stream()
                .map(candidate -> "jono.backend=" + candidate.backend())
                .collect(Collectors.joining(" or "));
        return new StorageMissingException(
                "the application has several connections that Jono can use: "
                        + candidates.stream()
                                .map(candidate -> candidate.storage().name())
                                .collect(Collectors.joining(", ")),
                "Choose one with " + all + ", or set jono.url.");
    }
}
