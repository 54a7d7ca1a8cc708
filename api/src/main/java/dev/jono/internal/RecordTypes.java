package dev.jono.internal;

import dev.jono.internal.log.Log;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.runtime.ObjectMethods;

/**
 * Releases types of this class loader that the JDK keeps in memory for records. {@link ObjectMethods} has static method
 * handles. When {@code equals}, {@code hashCode} or {@code toString} of a record class is called for the first time, a handle
 * is adapted to the types of that class, and keeps them until the next record class replaces them. On JDK 17 the reference is
 * strong, so an application that was undeployed from its server would stay in memory.
 *
 * <p>Called when a factory is closed, on the thread of the user. Stateless.
 */
final class RecordTypes {
    private static final Log LOG = Log.named("dev.jono");

    private RecordTypes() {}

    /** Replaces the types that the JDK keeps by types of the JDK. */
    static void release() {
        try {
            make("equals", MethodType.methodType(boolean.class, String.class, Object.class));
            make("hashCode", MethodType.methodType(int.class, String.class));
            make("toString", MethodType.methodType(String.class, String.class));
        } catch (Throwable impossible) {
            LOG.debug("types of records stay known to the JDK", impossible);
        }
    }

    /** Creates a method of a record, as if {@code String} were one. */
    private static void make(String method, MethodType type) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodHandle component = lookup.findVirtual(String.class, "strip", MethodType.methodType(String.class));
        ObjectMethods.bootstrap(lookup, method, type, String.class, "strip", component);
    }
}
