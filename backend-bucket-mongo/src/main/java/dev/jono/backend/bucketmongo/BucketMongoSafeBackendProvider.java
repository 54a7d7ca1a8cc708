package dev.jono.backend.bucketmongo;

/** The backend {@code bucket-mongo-safe}: {@code bucket-mongo-safe:mongodb://host/database?replicaSet=name}. */
public final class BucketMongoSafeBackendProvider extends BucketProvider {
    /** For {@link java.util.ServiceLoader}. */
    public BucketMongoSafeBackendProvider() {}

    @Override
    public String type() {
        return "bucket-mongo-safe";
    }

    @Override
    Profile profile() {
        return Profile.SAFE;
    }
}
