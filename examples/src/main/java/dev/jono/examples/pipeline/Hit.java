package dev.jono.examples.pipeline;

/**
 * One request that a web server answered.
 *
 * @param address the address of the client
 * @param path the requested path
 * @param status the status of the response
 * @param millis the duration in milliseconds
 * @param country the country of the address; empty until it is known
 */
public record Hit(String address, String path, int status, int millis, String country) {
    Hit in(String name) {
        return new Hit(address, path, status, millis, name);
    }
}
