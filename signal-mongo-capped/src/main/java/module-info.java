/** Signals between processes over a capped collection in MongoDB, in the format of keuss. */
module dev.jono.signal.mongocapped {
    requires dev.jono;
    requires dev.jono.support.mongo;
    requires static com.google.errorprone.annotations;
    requires org.slf4j;

    provides dev.jono.spi.SignallerProvider with
            dev.jono.signal.mongocapped.MongoCappedSignallerProvider;
}
