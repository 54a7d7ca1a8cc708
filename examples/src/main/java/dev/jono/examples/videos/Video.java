package dev.jono.examples.videos;

import java.util.List;

/**
 * A video to convert.
 *
 * @param file the name of the file
 * @param formats the formats to convert it to, such as {@code mp4}
 */
public record Video(String file, List<String> formats) {}
