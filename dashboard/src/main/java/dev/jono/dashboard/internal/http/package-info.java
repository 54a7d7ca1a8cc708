/** HTTP without a framework: requests, answers, the router, and what protects the users of the pages. */
@NullMarked
package dev.jono.dashboard.internal.http;

import org.jspecify.annotations.NullMarked;
