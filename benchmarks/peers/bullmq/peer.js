'use strict';
// BullMQ: jobs in Redis, taken by a worker, which is its only way to take them. Jobs that are done are removed at once. At its
// best: addBulk of 100 in four calls at once, and a worker with a concurrency of 100.
//
// Usage: node peer.js FOLDER SETTINGS: FOLDER is where BullMQ is installed; SETTINGS is JSON with url, queue.

const { createRequire } = require('module');
const { serve, hands } = require('../harness.js');

const { Queue, Worker } = createRequire(process.argv[2] + '/')('bullmq');
const { url, queue: name } = JSON.parse(process.argv[3]);
const BATCH = 100;
const CALLERS = 4;
const CONCURRENCY = 100;

const connection = { host: new URL(url).hostname, port: Number(new URL(url).port), maxRetriesPerRequest: null };
const opts = { removeOnComplete: true, removeOnFail: true };
const queue = new Queue(name, { connection });
let worker;
let current;

const send = text => queue.add('job', text, opts);

serve({
  async push(texts, width) {
    let next = 0;
    if (width === 0) {
      await hands(CALLERS, async () => {
        if (next >= texts.length) return false;
        const some = texts.slice(next, next += BATCH);
        await queue.addBulk(some.map(data => ({ name: 'job', data, opts })));
        return true;
      });
      return;
    }
    await hands(Math.min(width, texts.length), async () => {
      if (next >= texts.length) return false;
      await send(texts[next++]);
      return true;
    });
  },
  send,
  async prepare(step, width) {
    worker = new Worker(name, async job => { current.arrived(job.data); }, {
      connection,
      autorun: false,
      concurrency: width === 0 ? CONCURRENCY : width,
    });
    worker.on('completed', () => current.settled(1));
    worker.on('error', err => process.stderr.write('BullMQ: ' + err + '\n'));
    await worker.waitUntilReady();
  },
  async take(step, intake) {
    current = intake;
    const running = worker.run();
    await intake.closed;
    await worker.close();
    await running;
  },
});
