package dev.jono.examples.micronaut;

/** What a customer has ordered. */
public record Order(int id, String item) {}
