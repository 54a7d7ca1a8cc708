package dev.jono.spring.actuate;

import dev.jono.QueueFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Adds Jono's version and the type of the backend to the endpoint {@code info}. */
final class JonoInfo implements InfoContributor {
    private final QueueFactory jono;

    JonoInfo(QueueFactory jono) {
        this.jono = jono;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("backend", jono.backend());
        String version = QueueFactory.class.getPackage().getImplementationVersion();
        if (version != null) {
            details.put("version", version);
        }
        builder.withDetail("jono", details);
    }
}
