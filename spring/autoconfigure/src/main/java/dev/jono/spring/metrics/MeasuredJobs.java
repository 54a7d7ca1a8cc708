package dev.jono.spring.metrics;

import dev.jono.jobs.Jobs;
import dev.jono.micrometer.JonoJobMetrics;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Begins to measure the jobs when their bean is made. It is lazy, because not every backend has jobs; this does not make it. */
final class MeasuredJobs implements BeanPostProcessor {
    private final ObjectProvider<JonoJobMetrics> metrics;

    MeasuredJobs(ObjectProvider<JonoJobMetrics> metrics) {
        this.metrics = metrics;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof Jobs jobs) {
            metrics.ifUnique(found -> found.listenTo(jobs));
        }
        return bean;
    }
}
