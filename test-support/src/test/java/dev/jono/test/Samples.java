package dev.jono.test;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs sample classes with JUnit, as a build does. */
public final class Samples {
    private Samples() {}

    /** Runs the tests of a class. Returns a line for each: its name, its status, and the message of its failure. */
    public static List<String> run(Class<?> sample, String... parameters) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(sample))
                .configurationParameter("jono.test.samples", "true");
        for (int i = 0; i < parameters.length; i += 2) {
            request.configurationParameter(parameters[i], parameters[i + 1]);
        }
        LauncherDiscoveryRequest built = request.build();
        List<String> results = new ArrayList<>();
        LauncherFactory.create().execute(built, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                    results.add(test.getDisplayName() + " " + result.getStatus()
                            + result.getThrowable()
                                    .map(failure -> " " + failure)
                                    .orElse(""));
                }
            }
        });
        return results;
    }
}
