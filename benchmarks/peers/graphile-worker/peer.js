'use strict';
// Drives Graphile Worker. At its best, as its guide on performance says: four calls of addJobs with 100 jobs at once, and a worker
// with a local queue of 500 jobs, 24 jobs at once, and completions in batches. A completed job is deleted.
//
// Usage: node peer.js FOLDER SETTINGS. Graphile Worker is installed in FOLDER; SETTINGS is JSON with url, a JDBC URL, and queue.

const { createRequire } = require('module');
const { serve, repeat } = require('../harness.js');

const load = createRequire(process.argv[2] + '/');
const { run, makeWorkerUtils, Logger } = load('graphile-worker');
const { EventEmitter } = require('events');
const { url, queue: identifier } = JSON.parse(process.argv[3]);
const connectionString = url.replace(/^jdbc:/, '');
const BATCH = 100;
const CALLERS = 4;
const CONCURRENCY = 24;

const logger = new Logger(() => (level, message) => {
  if (level === 'error') process.stderr.write('Graphile Worker: ' + message + '\n');
});
const opened = (async () => {
  const utils = await makeWorkerUtils({ connectionString, logger });
  await utils.migrate();
  return utils;
})();
let current;
let runner;

const spec = text => ({ identifier, payload: { text } });
const send = async text => (await opened).addJob(identifier, { text });
const sendAll = async texts => (await opened).addJobs(texts.map(spec));

async function each(texts, size, width, add) {
  let next = 0;
  await repeat(width, async () => {
    if (next >= texts.length) return false;
    const from = next;
    next += size;
    await add(texts.slice(from, from + size));
    return true;
  });
}

serve({
  push: (texts, width) => width > 0
    ? each(texts, 1, width, ([text]) => send(text))
    : each(texts, BATCH, CALLERS, sendAll),
  send,
  sendAll,
  async prepare(step, width) {
    await opened;
    const events = new EventEmitter();
    events.on('job:complete', () => current.settled(1));
    let start;
    const started = new Promise(resolve => { start = resolve; });
    runner = await run({
      connectionString,
      logger,
      events,
      noHandleSignals: true,
      taskList: { [identifier]: async payload => { await started; current.arrived(payload.text); } },
      preset: {
        worker: {
          concurrentJobs: width > 0 ? width : CONCURRENCY,
          maxPoolSize: 10,
          localQueue: width === 1 ? undefined : { size: 500 },
          completeJobBatchDelay: width === 1 ? -1 : 0,
          failJobBatchDelay: width === 1 ? -1 : 0,
        },
      },
    });
    runner.begin = start;
  },
  async take(step, progress) {
    current = progress;
    runner.begin();
    await progress.closed;
    await runner.stop();
  },
});
