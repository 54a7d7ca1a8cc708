package dev.jono.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The dashboard is protected by Spring Security, as the guide shows. */
class DashboardSecurityTest {
    /** Only in this test: no {@code @Configuration}, which the other tests of the package would find. */
    @EnableWebSecurity
    static class Security {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            http.authorizeHttpRequests(requests -> requests.requestMatchers("/jono/**")
                    .hasRole("OPS")
                    .anyRequest()
                    .authenticated());
            http.csrf(csrf -> csrf.ignoringRequestMatchers("/jono/**"));
            return http.httpBasic(withDefaults()).build();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("ada")
                            .password("{noop}secret")
                            .roles("OPS")
                            .build(),
                    User.withUsername("bob")
                            .password("{noop}secret")
                            .roles("SALES")
                            .build());
        }
    }

    private static ConfigurableApplicationContext shop;
    private static ShopClient client;
    private static MessageQueue<String> orders;

    @BeforeAll
    static void open() {
        shop = new SpringApplication(ShopApplication.class, Security.class)
                .run("--server.port=0", "--jono.url=memory:");
        client = ShopClient.of(shop);
        orders = shop.getBean(QueueFactory.class).queue("orders", String.class);
        orders.push("of tomorrow", PushOptions.delay(Duration.ofDays(1)));
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    @Test
    void onlyUsersWithTheRoleSeeTheDashboard() throws Exception {
        for (String path :
                List.of("/jono", "/jono/", "/jono/queues", "/jono/api/v1/queues", "/jono/assets/dashboard.js")) {
            assertThat(client.get(path).statusCode()).as(path).isEqualTo(401);
            assertThat(client.as("bob", "secret").get(path).statusCode())
                    .as(path)
                    .isEqualTo(403);
        }
        assertThat(client.as("ada", "secret").get("/jono/queues").body()).contains("<!DOCTYPE html>", "Queues");
    }

    /** The form of the page of a queue, as a browser posts it. */
    private static HttpResponse<String> pause(ShopClient user, String site) throws Exception {
        return user.postForm("/jono/queues/orders/pause", Map.of("Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate"));
    }

    @Test
    void formsOfTheDashboardNeedTheRoleAndTheSameSite() throws Exception {
        assertThat(pause(client, "same-origin").statusCode()).isEqualTo(401);
        assertThat(pause(client.as("bob", "secret"), "same-origin").statusCode())
                .isEqualTo(403);
        HttpResponse<String> fromElsewhere = pause(client.as("ada", "secret"), "cross-site");
        assertThat(fromElsewhere.statusCode()).isEqualTo(403);
        assertThat(fromElsewhere.body()).contains("the request comes from another site");
        assertThat(orders.isPaused()).isFalse();
        assertThat(pause(client.as("ada", "secret"), "same-origin").statusCode())
                .isEqualTo(303);
        assertThat(orders.isPaused()).isTrue();
    }
}
