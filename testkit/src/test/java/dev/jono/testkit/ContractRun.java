package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests of contracts within a test. */
final class ContractRun {
    private ContractRun() {}

    /** Runs one test of a row of the contract, and returns its results, one per invocation. */
    static List<TestExecutionResult.Status> results(Class<?> kit, Class<?> contract, String row, String test)
            throws ClassNotFoundException {
        Class<?> nested = Class.forName(contract.getName() + "$" + row);
        PostDiscoveryFilter named = candidate -> FilterResult.includedIf(candidate
                .getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName().equals(test))
                .orElse(true));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectNestedClass(List.of(kit), nested))
                .filters(named)
                .build();
        List<TestExecutionResult.Status> results = new CopyOnWriteArrayList<>();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier id, TestExecutionResult result) {
                if (id.isTest()) {
                    results.add(result.getStatus());
                }
            }
        });
        assertThat(results).as("results of %s.%s", row, test).isNotEmpty();
        return results;
    }
}
