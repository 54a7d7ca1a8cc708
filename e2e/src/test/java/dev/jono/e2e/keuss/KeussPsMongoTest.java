package dev.jono.e2e.keuss;

/** {@code ps-mongo} together with keuss's. */
class KeussPsMongoTest extends KeussMongoCase {
    KeussPsMongoTest() {
        super("ps-mongo");
    }

    @Override
    public KeussCase together() {
        return this;
    }
}
