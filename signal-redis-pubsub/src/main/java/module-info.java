/** Wakes the consumers of all processes by Redis's pub/sub. */
module dev.jono.signal.redispubsub {
    requires dev.jono;
    requires dev.jono.support.redis;
    requires static com.google.errorprone.annotations;
    requires org.slf4j;

    provides dev.jono.spi.SignallerProvider with
            dev.jono.signal.redispubsub.RedisPubSubSignallerProvider;
}
