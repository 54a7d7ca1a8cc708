package dev.jono.dashboard;

import dev.jono.testkit.server.ServerBinary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A headless Chromium. Needs {@code chromium} and {@code chromedriver}, which {@code ./test} fetches. */
final class Browser implements AutoCloseable {
    private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    static Browser start() {
        Path chromium = ServerBinary.named("chromium").require();
        Path chromedriver = ServerBinary.named("chromedriver").require();
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.toFile());
        // Tests run as any user, and in containers without shared memory.
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en");
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.toFile())
                .usingAnyFreePort()
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.size(1280, 900);
        return browser;
    }

    void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    /** The width of a phone; a window cannot be as narrow. */
    void phone() {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 390, "height", 844, "deviceScaleFactor", 2, "mobile", true));
    }

    void desktop() {
        driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    }

    void dark(boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    void open(String url) {
        driver.get(url);
    }

    String url() {
        return String.valueOf(driver.getCurrentUrl());
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    boolean has(String css) {
        return !driver.findElements(By.cssSelector(css)).isEmpty();
    }

    String text(String css) {
        return again(() -> find(css).getText());
    }

    /** A region can be replaced between finding and reading an element of it. */
    private static <T> T again(Supplier<T> read) {
        try {
            return read.get();
        } catch (StaleElementReferenceException e) {
            return read.get();
        }
    }

    void click(String css) {
        find(css).click();
    }

    /** Clicks the button, link or summary with this text. */
    void press(String text) {
        driver.findElement(By.xpath("//*[self::button or self::a or self::summary][normalize-space()='" + text + "']"))
                .click();
    }

    void type(String css, String text) {
        WebElement field = find(css);
        field.clear();
        field.sendKeys(text);
    }

    void await(String what, Supplier<Boolean> holds) {
        Awaitility.await(what).ignoreExceptions().until(holds::get);
    }

    Object run(String script, Object... arguments) {
        return String.valueOf(driver.executeScript(script, arguments));
    }

    /** What axe-core calls serious or critical on this page: rule and elements. */
    String seriousProblems() {
        driver.executeScript(resource(AXE));
        return String.valueOf(driver.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                axe.run().then(found => done(found.violations
                    .filter(v => v.impact === 'serious' || v.impact === 'critical')
                    .map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' | '))
                    .join('; ')));"""));
    }

    private static String resource(String name) {
        try (InputStream in = Browser.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the console of the browser has as errors. */
    List<String> errors() {
        return driver.manage().logs().get("browser").getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
                .map(String::valueOf)
                .toList();
    }

    void screenshot(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
