/**
 * What every Jono backend, signaller and stats provider is tested with: extend {@link dev.jono.testkit.StoreContract},
 * {@link dev.jono.testkit.QueueContract}, {@link dev.jono.testkit.PipelineContract}, {@link
 * dev.jono.testkit.CrashContract}, {@link dev.jono.testkit.SignallerContract} and {@link
 * dev.jono.testkit.StatsContract}, and say in one method how to reach a fresh, empty storage. Applications will want
 * {@link dev.jono.testkit.SettableClock}.
 */
@NullMarked
package dev.jono.testkit;

import org.jspecify.annotations.NullMarked;
