package dev.jono.backend.bucketmongo;

/** The backend {@code bucket-mongo}: {@code bucket-mongo:mongodb://host/database?replicaSet=name}. */
public final class BucketMongoBackendProvider extends BucketProvider {
    /** For {@link java.util.ServiceLoader}. */
    public BucketMongoBackendProvider() {}

    @Override
    public String type() {
        return "bucket-mongo";
    }

    @Override
    Profile profile() {
        return Profile.PLAIN;
    }
}
