package dev.jono.spring.sample;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;

/**
 * An order.
 *
 * @param id the number of the order
 * @param item what is ordered
 * @param pieces how many
 */
record Order(int id, @NotBlank String item, @Positive int pieces) {}
