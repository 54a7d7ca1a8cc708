package dev.jono.spring.dashboard;

import dev.jono.QueueFactory;
import dev.jono.dashboard.Access;
import dev.jono.dashboard.Dashboard;
import dev.jono.dashboard.DashboardServlet;
import dev.jono.dashboard.Redaction;
import dev.jono.spring.autoconfigure.JonoAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoProperties;
import jakarta.servlet.Servlet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * The dashboard at {@code jono.dashboard.path}. The application's own security decides who reaches the path; beans of the types {@link
 * Access} and {@link Redaction} decide who may do what, and what is hidden.
 */
@AutoConfiguration(after = JonoAutoConfiguration.class)
@ConditionalOnClass({Dashboard.class, Servlet.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(QueueFactory.class)
@Conditional(DashboardPath.class)
public final class JonoDashboardAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Dashboard jonoDashboard(
            QueueFactory jono,
            JonoProperties properties,
            ObjectProvider<Access> access,
            ObjectProvider<Redaction> redaction) {
        JonoProperties.Dashboard settings = properties.dashboard();
        return Dashboard.builder()
                .storage(jono.backend(), jono)
                .title(settings.title())
                .access(access.getIfUnique(() -> settings.readOnly() ? Access.readOnly() : Access.all()))
                .redaction(redaction.getIfUnique(Redaction::none))
                .build();
    }

    @Bean
    ServletRegistrationBean<DashboardServlet> jonoDashboardServlet(Dashboard dashboard, JonoProperties properties) {
        return new ServletRegistrationBean<>(
                new DashboardServlet(dashboard),
                DashboardPath.servletMapping(
                        String.valueOf(properties.dashboard().path())));
    }
}
