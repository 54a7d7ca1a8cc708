package dev.jono.spring;

import dev.jono.Storage;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The storage that the {@link dev.jono.QueueFactory} of the application connects to. By default it is that of {@code
 * jono.url}, or a connection of the application. A bean of this type replaces both.
 */
public interface JonoConnectionDetails extends ConnectionDetails {
    /** The URL of the storage, such as {@code sqlite:shop.db}. With a storage object, it has only a type and Jono's options. */
    String getUrl();

    /** A connection of the application that is used for the URL; null if Jono opens its own. */
    default @Nullable Storage getStorage() {
        return null;
    }
}
