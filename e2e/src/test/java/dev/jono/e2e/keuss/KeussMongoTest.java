package dev.jono.e2e.keuss;

/** {@code mongo} together with keuss's. */
class KeussMongoTest extends KeussMongoCase {
    KeussMongoTest() {
        super("mongo");
    }

    @Override
    public KeussCase together() {
        return this;
    }
}
