package dev.jono.internal.claim;

import java.util.List;

/**
 * What one claim is made for.
 *
 * @param terms of all of them
 * @param each in the order of their turns; not empty
 * @param total how many messages the claim is to bring
 */
record Demands(ClaimTerms terms, List<Demand> each, int total) {}
