package dev.jono.support.redis;

import io.lettuce.core.ClientOptions;

/**
 * Uses features that only newer versions of Lettuce have, by reflection. An application may bring an older version: all other
 * classes of this module link with every tested one (docs/configuration.md).
 */
final class LettuceVersions {
    private LettuceVersions() {}

    /**
     * Disables maintenance notifications, if this version of Lettuce has them. With them Lettuce would move the connection and
     * send commands again by itself.
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
            throw new LinkageError("jono-support-redis does not support this version of Lettuce", e);
        }
    }
}
