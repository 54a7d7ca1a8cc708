/** The actuator endpoint {@code jono}, health and info. Uses Spring Boot's actuator, which an application need not have. */
@NullMarked
package dev.jono.spring.actuate;

import org.jspecify.annotations.NullMarked;
