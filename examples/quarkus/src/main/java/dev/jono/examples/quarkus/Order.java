package dev.jono.examples.quarkus;

/** What a customer has ordered. */
public record Order(int id, String item) {}
