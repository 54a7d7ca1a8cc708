package dev.jono.e2e;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Groups of classes of one package that all depend on each other, directly or not: the strongly connected components of its
 * top-level classes, by Tarjan's algorithm (SIAM J. Comput. 1(2), 1972).
 */
final class Knots {
    private final Map<String, Set<String>> uses;
    private final Map<String, Integer> order = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final List<Set<String>> found = new ArrayList<>();

    private Knots(Map<String, Set<String>> uses) {
        this.uses = uses;
    }

    /** The groups of more classes than this, of all packages, each sorted by name. */
    static List<Set<String>> largerThan(int classes, Iterable<JavaClass> all) {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass each : all) {
            Set<String> used = uses.computeIfAbsent(topLevel(each), name -> new TreeSet<>());
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (target.getPackageName().equals(each.getPackageName())) {
                    used.add(topLevel(target));
                }
            }
        }
        Knots knots = new Knots(uses);
        for (String each : uses.keySet()) {
            if (!knots.order.containsKey(each)) {
                knots.visit(each);
            }
        }
        return knots.found.stream().filter(knot -> knot.size() > classes).toList();
    }

    private static String topLevel(JavaClass each) {
        return each.getName().replaceFirst("\\$.*", "");
    }

    private void visit(String node) {
        order.put(node, order.size());
        lowest.put(node, order.get(node));
        open.push(node);
        for (String used : uses.getOrDefault(node, Set.of())) {
            if (!order.containsKey(used)) {
                visit(used);
                lowest.merge(node, lowest.get(used), Math::min);
            } else if (open.contains(used)) {
                lowest.merge(node, order.get(used), Math::min);
            }
        }
        if (lowest.get(node).equals(order.get(node))) {
            Set<String> knot = new TreeSet<>();
            String member;
            do {
                member = open.pop();
                knot.add(member);
            } while (!member.equals(node));
            found.add(knot);
        }
    }
}
