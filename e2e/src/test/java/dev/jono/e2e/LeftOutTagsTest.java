package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.testkit.QueueContract;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** CI leaves out tests with some tags on one of the JDKs. */
class LeftOutTagsTest {
    private static final Pattern LEFT_OUT = Pattern.compile("-DexcludedGroups=([a-z,-]+)");

    /** A group of rules that has the name of such a tag would be left out too. */
    @Test
    void areNoGroupsOfTheContractOfQueues() throws IOException {
        Matcher matcher = LEFT_OUT.matcher(Files.readString(Checkout.root().resolve(".ci/run")));
        List<String> leftOut = new ArrayList<>();
        while (matcher.find()) {
            leftOut.addAll(List.of(matcher.group(1).split(",")));
        }
        List<String> groups = Arrays.stream(QueueContract.class.getClasses())
                .flatMap(group -> Arrays.stream(group.getAnnotationsByType(Tag.class)))
                .map(Tag::value)
                .toList();
        assertThat(leftOut).contains("fault");
        assertThat(groups).contains("once").doesNotContainAnyElementsOf(leftOut);
    }
}
