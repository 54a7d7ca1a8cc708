package dev.jono.benchmarks.compare;

import java.util.Map;

/** Opens the drivers that run in a JVM, by their names. */
final class Drivers {
    private Drivers() {}

    static Driver open(String name, Map<String, String> settings) throws Exception {
        return switch (name) {
            case "jono" -> new JonoDriver(settings);
            case "jono-jobs" -> new JonoJobsDriver(settings);
            case "redisson" -> new RedissonDriver(settings);
            case "rabbitmq" -> new RabbitDriver(settings);
            case "beanstalkd" -> new BeanstalkDriver(settings);
            case "db-scheduler" -> new DbSchedulerDriver(settings);
            case "jobrunr" -> new JobRunrDriver(settings);
            case "juc" -> new JucDriver();
            case "bare" -> new BareDriver(settings);
            default -> throw new IllegalArgumentException("no driver is called " + name);
        };
    }

    /** Returns a setting that is required. */
    static String need(Map<String, String> settings, String name) {
        String value = settings.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the driver needs the setting " + name);
        }
        return value;
    }

    /** Returns a setting that is a number, or {@code otherwise} if it is missing. */
    static int number(Map<String, String> settings, String name, int otherwise) {
        String value = settings.get(name);
        return value == null ? otherwise : Integer.parseInt(value);
    }
}
