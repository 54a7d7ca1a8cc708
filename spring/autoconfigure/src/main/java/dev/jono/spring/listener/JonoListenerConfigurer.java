package dev.jono.spring.listener;

/** A bean of this type changes the registrar before listeners are made: adds endpoints, sets a validator or a method factory. */
@FunctionalInterface
public interface JonoListenerConfigurer {
    /** Changes the registrar. */
    void configure(ListenerEndpointRegistrar registrar);
}
