package dev.jono.dashboard.internal;

import dev.jono.dashboard.internal.page.Renderer;
import dev.jono.dashboard.internal.templates.JtebatchesGenerated;
import dev.jono.dashboard.internal.templates.JtejobGenerated;
import dev.jono.dashboard.internal.templates.JtejobsGenerated;
import dev.jono.dashboard.internal.templates.JtemessageGenerated;
import dev.jono.dashboard.internal.templates.JteoverviewGenerated;
import dev.jono.dashboard.internal.templates.JteproblemGenerated;
import dev.jono.dashboard.internal.templates.JtequeueGenerated;
import dev.jono.dashboard.internal.templates.JtequeuesGenerated;
import dev.jono.dashboard.internal.templates.JterunnersGenerated;
import dev.jono.dashboard.internal.templates.JteschedulesGenerated;
import dev.jono.dashboard.internal.templates.JtetypesGenerated;
import gg.jte.TemplateOutput;
import gg.jte.html.HtmlInterceptor;
import gg.jte.html.HtmlTemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import gg.jte.output.StringOutput;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The templates, which are compiled with the module. They are called directly, so that no package must be open to reflection. */
final class CompiledTemplates implements Renderer {
    /** The method of a compiled template. */
    @FunctionalInterface
    private interface Template {
        void render(HtmlTemplateOutput out, HtmlInterceptor interceptor, Map<String, Object> values);
    }

    /** Adds nothing to forms. */
    private static final HtmlInterceptor NOTHING = new HtmlInterceptor() {
        @Override
        public void onHtmlTagOpened(String name, Map<String, Object> attributes, TemplateOutput out) {}

        @Override
        public void onHtmlTagClosed(String name, TemplateOutput out) {}
    };

    private static final Map<String, Template> TEMPLATES = Map.ofEntries(
            Map.entry("overview", JteoverviewGenerated::renderMap),
            Map.entry("queues", JtequeuesGenerated::renderMap),
            Map.entry("queue", JtequeueGenerated::renderMap),
            Map.entry("message", JtemessageGenerated::renderMap),
            Map.entry("types", JtetypesGenerated::renderMap),
            Map.entry("jobs", JtejobsGenerated::renderMap),
            Map.entry("job", JtejobGenerated::renderMap),
            Map.entry("schedules", JteschedulesGenerated::renderMap),
            Map.entry("batches", JtebatchesGenerated::renderMap),
            Map.entry("runners", JterunnersGenerated::renderMap),
            Map.entry("problem", JteproblemGenerated::renderMap));

    @Override
    @SuppressWarnings("unchecked") // a template tells by itself which values can be missing
    public String render(String template, Map<String, ? extends @Nullable Object> values) {
        StringOutput page = new StringOutput();
        Map<String, Object> all = (Map<String, Object>) (Map<String, ?>) new HashMap<>(values);
        Objects.requireNonNull(TEMPLATES.get(template), template)
                .render(new OwaspHtmlTemplateOutput(page), NOTHING, all);
        return page.toString();
    }
}
