package dev.jono.internal;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.concurrent.CompletionException;

/** Failures of users' code whose own methods throw. */
enum HostileFailures {
    MESSAGE_THROWS,
    EVERYTHING_THROWS,
    ERROR_THAT_THROWS_ITSELF,
    NO_TEXT_AND_NO_KIND,
    ITS_OWN_CAUSE;

    /** Throws one, whatever the signature of the code that this stands in allows; returns what it would have returned. */
    @SuppressWarnings("DoNotCallSuggester") // called in order to throw
    <R> R strike(R instead) {
        throwAs(RuntimeException.class, make());
        return instead;
    }

    private Throwable make() {
        return switch (this) {
            case MESSAGE_THROWS -> new MessageThrows();
            case EVERYTHING_THROWS -> new EverythingThrows();
            case ERROR_THAT_THROWS_ITSELF -> new ThrowsItself();
            case NO_TEXT_AND_NO_KIND -> new NoText();
            case ITS_OWN_CAUSE -> new OwnCause();
        };
    }

    @SuppressWarnings("unchecked") // what is thrown is not what the signature says
    private static <E extends Throwable> void throwAs(Class<E> unusedKind, Throwable failure) throws E {
        throw (E) failure;
    }

    private static final class MessageThrows extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new LinkageError("a test's: getMessage");
        }
    }

    @SuppressWarnings({"OverrideThrowableToString", "ThrowableEqualsHashCode"}) // they are to throw
    private static final class EverythingThrows extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("a test's: getMessage");
        }

        @Override
        public String getLocalizedMessage() {
            throw new IllegalStateException("a test's: getLocalizedMessage");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("a test's: getCause");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("a test's: getStackTrace");
        }

        @Override
        public void printStackTrace(PrintStream stream) {
            throw new IllegalStateException("a test's: printStackTrace");
        }

        @Override
        public void printStackTrace(PrintWriter writer) {
            throw new IllegalStateException("a test's: printStackTrace");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("a test's: toString");
        }

        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("a test's: equals");
        }

        @Override
        public int hashCode() {
            throw new IllegalStateException("a test's: hashCode");
        }
    }

    @SuppressWarnings("OverrideThrowableToString") // it is to throw
    private static final class ThrowsItself extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw this;
        }
    }

    /** Neither an exception nor an error, as another language's may be. */
    private static final class NoText extends Throwable {
        private static final long serialVersionUID = 1;

        @Override
        @SuppressWarnings({"NullAway", "ToStringReturnsNull", "OverrideThrowableToString"}) // it breaks the rules
        public String toString() {
            return null;
        }
    }

    private static final class OwnCause extends CompletionException {
        private static final long serialVersionUID = 1;

        @Override
        public synchronized Throwable getCause() {
            return this;
        }

        @Override
        public String getMessage() {
            throw new StackOverflowError("a test's: getMessage");
        }
    }
}
