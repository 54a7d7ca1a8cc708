package dev.jono.examples.mails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.Backoff;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopMailsTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final List<Mail> sent = new CopyOnWriteArrayList<>();
    private final List<ShopMails> opened = new ArrayList<>();

    @AfterEach
    void end() {
        opened.forEach(ShopMails::close);
    }

    private String storage() {
        return "sqlite:" + directory.resolve("mails.db");
    }

    private ShopMails shop(int perSecond) {
        ShopMails shop = new ShopMails(storage(), perSecond, Backoff.fixed(Duration.ofMillis(50)));
        opened.add(0, shop);
        return shop;
    }

    @Test
    void mailIsSentOnceHoweverOftenItIsRequested() {
        ShopMails shop = shop(1000);
        Mail mail = new Mail("ann@example.org", "17", "shipped");
        assertThat(shop.request(mail)).isTrue();
        assertThat(shop.request(mail)).isFalse();
        shop.start(4, sent::add);
        await().atMost(SOON).until(() -> sent.size() == 1);
        assertThat(shop(1000).request(mail)).as("after it was sent").isFalse();
        assertThat(shop.request(new Mail("ann@example.org", "17", "delivered"))).isTrue();
        await().atMost(SOON).until(() -> sent.size() == 2);
        assertThat(sent).doesNotHaveDuplicates();
    }

    @Test
    void mailsToACustomerArriveInTheirOrder() {
        List<Mail> expected = new ArrayList<>();
        ShopMails shop = shop(1000);
        for (String template : List.of("ordered", "paid", "shipped", "delivered")) {
            for (String to : List.of("ann@example.org", "bob@example.org")) {
                Mail mail = new Mail(to, to, template);
                shop.request(mail);
                expected.add(mail);
            }
        }
        List<Mail> failedOnce = new CopyOnWriteArrayList<>();
        MailServer server = mail -> {
            if (mail.template().equals("paid") && !failedOnce.contains(mail)) {
                failedOnce.add(mail);
                throw new IllegalStateException("the server does not answer");
            }
            sent.add(mail);
        };
        shop.start(4, server);
        shop(1000).start(4, server);
        await().atMost(SOON).until(() -> sent.size() == expected.size());
        for (String to : List.of("ann@example.org", "bob@example.org")) {
            assertThat(sent.stream().filter(mail -> mail.to().equals(to)).map(Mail::template))
                    .containsExactly("ordered", "paid", "shipped", "delivered");
        }
    }

    @Test
    void refusedAddressHoldsUpNothing() {
        ShopMails shop = shop(1000);
        shop.request(new Mail("nobody@example.org", "17", "ordered"));
        shop.request(new Mail("nobody@example.org", "17", "shipped"));
        List<Mail> tried = new CopyOnWriteArrayList<>();
        shop.start(1, mail -> {
            tried.add(mail);
            throw new MailServer.RefusedAddressException(mail.to());
        });
        await().atMost(SOON).until(() -> tried.size() == 2);
        assertThat(tried).extracting(Mail::template).containsExactly("ordered", "shipped");
    }

    @Test
    void providerGetsNoMoreMailsThanItAccepts() {
        int perSecond = 20;
        ShopMails shop = shop(perSecond);
        for (int i = 0; i < 22; i++) {
            shop.request(new Mail("customer" + i + "@example.org", "order" + i, "ordered"));
        }
        long begin = System.nanoTime();
        shop.start(8, sent::add);
        shop(perSecond).start(8, sent::add);
        await().atMost(SOON).until(() -> sent.size() == 22);
        // 20 mails take a second, after a burst of 2.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(950));
    }

    @Test
    void commandRequestsAMail() throws Exception {
        ShopMails.main(new String[] {storage(), "request", "ann@example.org", "17", "shipped"});
        shop(1000).start(1, sent::add);
        await().atMost(SOON).until(() -> sent.contains(new Mail("ann@example.org", "17", "shipped")));
        assertThatThrownBy(() -> ShopMails.main(new String[] {storage()})).hasMessageContaining("expected");
    }
}
