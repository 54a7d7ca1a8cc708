/** What differs in Spring Boot 3: the classes of health indicators. */
@NullMarked
package dev.jono.spring.boot3;

import org.jspecify.annotations.NullMarked;
