package dev.jono.examples.videos;

import java.util.List;

/**
 * The result of a conversion.
 *
 * @param files the names of the new files, in the order of the formats
 */
public record Converted(List<String> files) {}
