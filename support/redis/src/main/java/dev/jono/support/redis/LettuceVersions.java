package dev.jono.support.redis;

import io.lettuce.core.ClientOptions;

/**
 * The one place for what newer versions of Lettuce have and older ones, which an application may bring, lack. It is reached
 * by reflection, so that every class of this module links with every tested version (docs/configuration.md).
 */
final class LettuceVersions {
    private LettuceVersions() {}

    /**
     * Refuses the server's announcements of maintenance, where this Lettuce asks for them: it would move the
     * connection and send commands again by itself.
     */
    static void refuseMaintenance(ClientOptions.Builder builder) {
        try {
            Class<?> config = Class.forName(
                    "io.lettuce.core.MaintNotificationsConfig", true, ClientOptions.class.getClassLoader());
            ClientOptions.Builder.class
                    .getMethod("maintNotificationsConfig", config)
                    .invoke(builder, config.getMethod("disabled").invoke(null));
        } catch (ClassNotFoundException olderLettuce) {
            return;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this version of Lettuce is not known to jono-support-redis", e);
        }
    }
}
