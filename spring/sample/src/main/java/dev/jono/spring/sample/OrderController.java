package dev.jono.spring.sample;

import dev.jono.MessageQueue;
import dev.jono.spring.JonoQueue;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders over HTTP. An order is accepted when it is stored in the queue. */
@RestController
class OrderController {
    private final MessageQueue<Order> orders;
    private final Warehouse warehouse;

    OrderController(@JonoQueue("orders") MessageQueue<Order> orders, Warehouse warehouse) {
        this.orders = orders;
        this.warehouse = warehouse;
    }

    @PostMapping("/orders")
    ResponseEntity<Map<String, String>> order(@RequestBody Order order) {
        return ResponseEntity.accepted()
                .body(Map.of("message", orders.push(order).id()));
    }

    @GetMapping("/orders/{id}")
    ResponseEntity<Map<String, String>> status(@PathVariable("id") int id) {
        return ResponseEntity.of(warehouse.invoiceOf(id).map(invoice -> Map.of("invoice", invoice)));
    }
}
