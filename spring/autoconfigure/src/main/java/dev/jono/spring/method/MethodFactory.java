package dev.jono.spring.method;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.convert.ConversionService;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.messaging.converter.GenericMessageConverter;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.messaging.handler.annotation.support.PayloadMethodArgumentResolver;
import org.springframework.validation.Validator;

/** Spring's factory of invocable methods, for payloads that are decoded already and can be empty texts. */
public final class MethodFactory extends DefaultMessageHandlerMethodFactory {
    /** The name that Spring Boot gives to its validator. */
    private static final String VALIDATOR = "defaultValidator";

    /** The validators of Spring MVC and WebFlux. */
    private static final Set<String> OF_WEB = Set.of("mvcValidator", "webFluxValidator");

    /**
     * A factory that is ready for use.
     *
     * @param validator for payloads that are {@code @Valid}; null if the application has none
     */
    public MethodFactory(BeanFactory beans, @Nullable Validator validator) {
        ConversionService conversions = new DefaultFormattingConversionService();
        setBeanFactory(beans);
        setConversionService(conversions);
        setCustomArgumentResolvers(List.of(new PayloadResolver(new GenericMessageConverter(conversions), validator)));
        afterPropertiesSet();
    }

    /**
     * The validator of the application. Those of Spring MVC and WebFlux are left out: they wrap it, and check nothing where there is none.
     * Null if there is none.
     */
    public static @Nullable Validator validatorOf(ListableBeanFactory beans) {
        if (beans.containsBean(VALIDATOR) && beans.isTypeMatch(VALIDATOR, Validator.class)) {
            return beans.getBean(VALIDATOR, Validator.class);
        }
        List<String> others = Arrays.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Validator.class))
                .filter(name -> !OF_WEB.contains(name))
                .toList();
        if (others.isEmpty()) {
            return null;
        }
        return others.size() == 1
                ? beans.getBean(others.get(0), Validator.class)
                : beans.getBeanProvider(Validator.class).getIfUnique();
    }

    /**
     * Checks that there is a validator for payloads that are {@code @Valid}.
     *
     * @throws DeclarationException if there is none
     */
    public static void requireValidator(AnnotatedMethod method, Signature signature, @Nullable Validator validator) {
        if (signature.validated() && validator == null) {
            throw method.mistake(
                    "the payload is @Valid, but the application has no validator",
                    "Add the dependency org.springframework.boot:spring-boot-starter-validation, or one bean of type"
                            + " org.springframework.validation.Validator, or remove the annotation.");
        }
    }

    /** An empty text is a payload like any other. */
    private static final class PayloadResolver extends PayloadMethodArgumentResolver {
        PayloadResolver(GenericMessageConverter converter, @Nullable Validator validator) {
            super(converter, validator);
        }

        @Override
        protected boolean isEmptyPayload(@Nullable Object payload) {
            return payload == null;
        }
    }
}
