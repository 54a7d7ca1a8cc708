package dev.jono.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.QueueFactory;
import org.junit.jupiter.api.Test;

class TypeOfQueueTest {
    private static final JobType<String, Void> MAIL = JobType.of("mail.welcome-2", String.class);

    @Test
    void queuesOfJobsNameTheirType() {
        try (QueueFactory jono = QueueFactory.connect("memory:")) {
            Jobs jobs = Jobs.on(jono);
            jobs.enqueue(MAIL, "a", o -> o.priority(JobPriority.HIGH));
            jobs.enqueue(MAIL, "b");
            assertThat(jono.queues())
                    .hasSize(2)
                    .allSatisfy(queue -> assertThat(Jobs.typeOfQueue(queue)).hasValue("mail.welcome-2"));
        }
    }

    @Test
    void otherQueuesHaveNone() {
        assertThat(Jobs.typeOfQueue("mails")).isEmpty();
        assertThat(Jobs.typeOfQueue("{jobs:mail}")).isEmpty();
        assertThat(Jobs.typeOfQueue("{orders}:high")).isEmpty();
    }
}
