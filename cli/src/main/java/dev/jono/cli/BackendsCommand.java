package dev.jono.cli;

import dev.jono.BackendInfo;
import dev.jono.Capability;
import dev.jono.QueueFactory;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "backends",
        sortOptions = false,
        description = "List the backends on the class path and their capabilities.")
final class BackendsCommand implements Callable<Integer> {
    private final CommonOptions common;

    BackendsCommand(CommonOptions common) {
        this.common = common;
    }

    @Override
    public Integer call() throws IOException {
        JsonLines lines = new JsonLines(common.io().out());
        for (BackendInfo backend : QueueFactory.backends()) {
            lines.line(json -> {
                json.writeStringField("type", backend.type());
                json.writeArrayFieldStart("capabilities");
                for (Capability capability : Capability.values()) {
                    if (backend.capabilities().contains(capability)) {
                        json.writeString(capability.name());
                    }
                }
                json.writeEndArray();
            });
        }
        lines.flush();
        return Exit.DONE;
    }
}
