package dev.jono.spring.sample;

import dev.jono.jobs.JobRun;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.spring.JonoHeaders;
import dev.jono.spring.JonoJob;
import dev.jono.spring.JonoListener;
import dev.jono.spring.JonoSchedule;
import jakarta.validation.Valid;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/** Ships orders, and has their invoices written. */
@Component
class Warehouse {
    private static final JobType<Order, String> INVOICE =
            JobType.of("invoice", Order.class).returning(String.class);

    private final Map<Integer, String> invoices = new ConcurrentHashMap<>();
    private final Jobs jobs;
    private final Journal journal;

    Warehouse(Jobs jobs, Journal journal) {
        this.jobs = jobs;
        this.journal = journal;
    }

    /** The key makes the second delivery of an order enqueue no second job. */
    @JonoListener(queue = "orders", concurrency = "${shop.packers:8}")
    void ship(@Valid Order order, @Header(JonoHeaders.ID) String message) {
        journal.shipped(order.id(), message);
        jobs.enqueue(INVOICE, order, options -> options.unique(String.valueOf(order.id())));
    }

    @JonoJob("invoice")
    String invoice(Order order, JobRun run) {
        String invoice = order.pieces() + " x " + order.item();
        run.progress(1, 1);
        invoices.put(order.id(), invoice);
        return invoice;
    }

    @JonoSchedule(cron = "${shop.stocktaking:0 2 * * *}", zone = "Europe/Helsinki")
    void takeStock() {
        journal.stockTaken(invoices.size());
    }

    Optional<String> invoiceOf(int order) {
        return Optional.ofNullable(invoices.get(order));
    }
}
