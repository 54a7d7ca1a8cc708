package dev.jono.jobs.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.jobs.JobPriority;
import java.util.Arrays;

/** The JSON of documents. */
final class JobJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private JobJson() {}

    /** The priority in a document; {@link JobPriority#NORMAL} if it is missing, or this version does not know it. */
    static JobPriority priority(JsonNode document) {
        String name = document.path("priority").asText();
        return Arrays.stream(JobPriority.values())
                .filter(priority -> priority.name().equals(name))
                .findFirst()
                .orElse(JobPriority.NORMAL);
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Parses an object; a damaged one counts as empty. */
    static ObjectNode parse(String text) {
        try {
            return MAPPER.readTree(text) instanceof ObjectNode object ? object : object();
        } catch (JsonProcessingException damaged) {
            return object();
        }
    }
}
