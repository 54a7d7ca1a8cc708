package dev.jono.internal;

import dev.jono.internal.log.Log;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;

/**
 * Releases the types of this class loader that the JDK keeps for records. {@link ObjectMethods} has static method handles,
 * and each keeps the types that it was adapted to last: those of the record whose {@code equals}, {@code hashCode} or
 * {@code toString} was called first of all its calls, and latest of all records. On JDK 17 that reference is strong, so an
 * application that was undeployed from its server would stay in memory.
 */
final class RecordTypes {
    private static final Log LOG = Log.named("dev.jono");

    private RecordTypes() {}

    /** Replaces one of our types, if it is there, by a type of the JDK. */
    static void forget() {
        try {
            make("equals", MethodType.methodType(boolean.class, String.class, Object.class));
            make("hashCode", MethodType.methodType(int.class, String.class));
            make("toString", MethodType.methodType(String.class, String.class));
        } catch (Throwable impossible) {
            LOG.debug("types of records stay known to the JDK", impossible);
        }
    }

    /** Creates such a method as if {@code String} were a record. */
    private static void make(String method, MethodType type) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodHandle component = lookup.findVirtual(String.class, "strip", MethodType.methodType(String.class));
        ObjectMethods.bootstrap(lookup, method, type, String.class, "strip", component);
    }
}
