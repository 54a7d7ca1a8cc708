package dev.jono.spring.listener;

import dev.jono.spring.JonoListener;
import dev.jono.spring.method.AnnotatedMethod;
import dev.jono.spring.method.AnnotatedMethodProcessor;
import dev.jono.spring.method.MethodFactory;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.ResolvableType;
import org.springframework.validation.Validator;

/**
 * Makes a container for each method with {@link JonoListener}, and for each endpoint that a bean or a configurer adds, and registers it. The
 * beans that it needs are looked up when all singletons are made, because a post-processor must not make other beans early.
 */
public final class JonoListenerProcessor extends AnnotatedMethodProcessor {
    /** The name of the bean that makes containers, unless a listener names another. */
    public static final String CONTAINER_FACTORY = "jonoListenerContainerFactory";

    private @Nullable MethodEndpoints methods;

    /** A processor. */
    public JonoListenerProcessor() {
        super(Set.of(JonoListener.class));
    }

    @Override
    protected void handleAll(List<AnnotatedMethod> found) {
        ListenerEndpointRegistrar registrar = new ListenerEndpointRegistrar();
        beans().getBeanProvider(JonoListenerConfigurer.class)
                .orderedStream()
                .forEach(configurer -> configurer.configure(registrar));
        MethodEndpoints endpoints = new MethodEndpoints(beans(), registrar, validator(registrar));
        this.methods = endpoints;
        found.forEach(method -> register(method, endpoints.endpoint(method)));
        registrar.endpoints().forEach(this::register);
        ObjectProvider<ListenerEndpoint<?>> declared =
                beans().getBeanProvider(ResolvableType.forRawClass(ListenerEndpoint.class));
        declared.orderedStream().forEach(this::register);
    }

    @Override
    protected void handleLate(AnnotatedMethod found) {
        register(found, Objects.requireNonNull(methods).endpoint(found));
    }

    private void register(AnnotatedMethod method, ListenerEndpoint<?> endpoint) {
        if (registry().container(endpoint.id()).isPresent()) {
            throw method.mistake(
                    "there are two listeners with the id '" + endpoint.id() + "'",
                    "Give one of them another id, such as @JonoListener(id = \"…\").");
        }
        register(endpoint);
    }

    private @Nullable Validator validator(ListenerEndpointRegistrar registrar) {
        return registrar.validator() != null ? registrar.validator() : MethodFactory.validatorOf(beans());
    }

    private void register(ListenerEndpoint<?> endpoint) {
        String factory = endpoint.containerFactory() != null ? endpoint.containerFactory() : CONTAINER_FACTORY;
        ListenerContainer container =
                beans().getBean(factory, ListenerContainerFactory.class).create(endpoint);
        registry().register(container);
    }

    private ListenerContainerRegistry registry() {
        return beans().getBean(ListenerContainerRegistry.class);
    }
}
