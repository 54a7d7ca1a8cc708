package dev.jono.e2e;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A process that runs tests with the libraries on its class path. Its last line says how many there were. */
final class TestRun implements TestExecutionListener {
    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private int successful;
    private int failed;

    private TestRun() {}

    /** The arguments are the names of test classes. */
    public static void main(String[] classes) {
        runAndExit(LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(classes)
                        .map(DiscoverySelectors::selectClass)
                        .toList())
                .build());
    }

    /** Runs tests and ends this process. The exit code is 1 if a test failed. */
    static void runAndExit(LauncherDiscoveryRequest tests) {
        TestRun run = new TestRun();
        LauncherFactory.create().execute(tests, run);
        OUT.println(run.successful + " successful, " + run.failed + " failed");
        System.exit(run.failed == 0 ? 0 : 1);
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL -> successful += test.isTest() ? 1 : 0;
            case FAILED -> {
                failed++;
                OUT.println("FAILED " + test.getUniqueId());
                result.getThrowable().ifPresent(failure -> failure.printStackTrace(OUT));
            }
            case ABORTED -> {} // a rule for a capability that the backend does not have
        }
    }
}
