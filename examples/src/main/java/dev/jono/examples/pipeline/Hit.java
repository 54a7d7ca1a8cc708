package dev.jono.examples.pipeline;

/**
 * One request that a web server answered.
 *
 * @param address who asked
 * @param path what for
 * @param status the answer's status
 * @param millis how long it took
 * @param country where the address is; empty until that is known
 */
public record Hit(String address, String path, int status, int millis, String country) {
    Hit in(String name) {
        return new Hit(address, path, status, millis, name);
    }
}
