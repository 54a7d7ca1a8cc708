package dev.jono.spring.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the shop. */
@SpringBootApplication(proxyBeanMethods = false)
public class ShopApplication {
    /** The arguments are Spring Boot's, such as {@code --jono.url=sqlite:shop.db}. */
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
