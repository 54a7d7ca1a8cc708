'use strict';
// Drives BullMQ. A worker takes the jobs, which is BullMQ's only way to take them. Finished jobs are removed at once, unless the
// setting keep is "all": then they stay, as they do by default. At its best: four calls of addBulk with 100 jobs at once, and a
// worker with a concurrency of 100.
//
// Usage: node peer.js FOLDER SETTINGS. BullMQ is installed in FOLDER; SETTINGS is JSON with url, queue and perhaps keep.

const { createRequire } = require('module');
const { serve, repeat } = require('../harness.js');

const load = createRequire(process.argv[2] + '/');
const { Queue, Worker } = load('bullmq');
const { Redis: IORedis } = load('ioredis');
const { url, queue: name, keep } = JSON.parse(process.argv[3]);
const BATCH = 100;
const CALLERS = 4;
const CONCURRENCY = 100;

const connection = { host: new URL(url).hostname, port: Number(new URL(url).port), maxRetriesPerRequest: null };
const opts = keep === 'all' ? {} : { removeOnComplete: true, removeOnFail: true };
const queue = new Queue(name, { connection });
let workers = [];
let queues = [];
let current;

const send = text => queue.add('job', text, opts);
const sendAll = texts => queue.addBulk(texts.map(data => ({ name: 'job', data, opts })));

function work(from, concurrency, shared) {
  const worker = new Worker(from, async job => { current.arrived(job.data); }, {
    connection: shared || connection,
    autorun: false,
    concurrency,
  });
  worker.on('completed', () => current.settled(1));
  worker.on('error', err => process.stderr.write('BullMQ: ' + err + '\n'));
  return worker;
}

async function take(step, progress) {
  current = progress;
  const running = workers.map(worker => worker.run());
  await progress.closed;
  await Promise.all(workers.map(worker => worker.close()));
  await Promise.all(running);
  workers = [];
}

async function each(texts, width, add) {
  let next = 0;
  await repeat(Math.min(width, texts.length), async () => {
    if (next >= texts.length) return false;
    const place = next++;
    await add(texts[place], place);
    return true;
  });
}

serve({
  async push(texts, width) {
    if (width > 0) return each(texts, width, send);
    let next = 0;
    await repeat(CALLERS, async () => {
      if (next >= texts.length) return false;
      await sendAll(texts.slice(next, next += BATCH));
      return true;
    });
  },
  send,
  sendAll,
  async prepare(step, width) {
    workers = [work(name, width === 0 ? CONCURRENCY : width)];
    await workers[0].waitUntilReady();
  },
  take,
  // Each queue needs a worker, and each worker a connection on which it waits. Other calls share a connection, as BullMQ's guide
  // recommends.
  over: {
    async queues(count) {
      if (queues.length === count) return;
      const shared = new IORedis(connection);
      await Promise.all(queues.map(each => each.close()));
      if (queues.shared) queues.shared.disconnect();
      queues = Array.from({ length: count }, (_, i) => new Queue(name + '-' + i, { connection: shared }));
      queues.shared = shared;
    },
    push: (texts, width) => each(texts, width, (text, place) => queues[place % queues.length].add('job', text, opts)),
    async prepare(step, width) {
      workers = queues.map(each => work(each.name, Math.max(1, Math.floor(width / queues.length)), queues.shared));
      await Promise.all(workers.map(worker => worker.waitUntilReady()));
    },
    take,
  },
});
