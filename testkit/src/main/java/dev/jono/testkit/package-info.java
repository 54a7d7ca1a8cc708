/**
 * The contract tests of backends, signallers and stats providers. Authors of a plugin extend {@link
 * dev.jono.testkit.StoreContract}, {@link dev.jono.testkit.QueueContract}, {@link dev.jono.testkit.PipelineContract},
 * {@link dev.jono.testkit.CrashContract}, {@link dev.jono.testkit.SignallerContract} and {@link
 * dev.jono.testkit.StatsContract}, and implement one method that returns an empty storage. {@link
 * dev.jono.testkit.SettableClock} is for the tests of applications.
 */
@NullMarked
package dev.jono.testkit;

import org.jspecify.annotations.NullMarked;
