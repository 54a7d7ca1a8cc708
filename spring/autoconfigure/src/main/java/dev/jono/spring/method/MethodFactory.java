package dev.jono.spring.method;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
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
     * The validator of the application: the bean {@code mvcValidator} is left out, as that of Spring MVC only wraps it. Null if there is
     * none.
     */
    public static @Nullable Validator validatorOf(BeanFactory beans) {
        return beans.containsBean(VALIDATOR) && beans.isTypeMatch(VALIDATOR, Validator.class)
                ? beans.getBean(VALIDATOR, Validator.class)
                : beans.getBeanProvider(Validator.class).getIfUnique();
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
