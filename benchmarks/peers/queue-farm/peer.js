'use strict';
// Drives queue-farm, for jobs only. Each of its queues is a strict order, as a key is to Jono. At its best, 64 calls of push are
// in flight; queue-farm has no call for several jobs. The worker has as many handlers as jobs that run at once.
//
// Usage: node peer.js FOLDER SETTINGS. queue-farm is installed in FOLDER; SETTINGS is JSON with url, queue, and keys, the number
// of queues.

const { createRequire } = require('module');
const { serve, inLanes } = require('../harness.js');

const queueFarm = createRequire(process.argv[2] + '/')('queue-farm');
const { url: redis, queue: namespace, keys } = JSON.parse(process.argv[3]);
// A divisor of the number of keys: then the jobs of a key are in one lane, and are pushed in the order of their numbers.
const IN_FLIGHT = 64;
if (keys % IN_FLIGHT) throw new Error('the number of keys is not a multiple of ' + IN_FLIGHT);
const manager = queueFarm.createManager({ redis, namespace });

// As in KeyOrder.java.
const number = text => Number(text.slice(0, 9));
const last = new Map();

function ran(queue, text) {
  if (last.has(queue) && last.get(queue) >= number(text)) throw new Error('a job was not in the order of its queue');
  last.set(queue, number(text));
}

serve({
  push: texts => inLanes(IN_FLIGHT, texts, text => manager.push('key-' + number(text) % keys, text)),
  async take(step, progress, concurrent) {
    let failure;
    const worker = queueFarm.createWorker({ redis, namespace, concurrent }, async (queue, jobs) => {
      for (const text of jobs) {
        progress.arrived(text);
        ran(queue, text);
      }
    });
    worker.on('handler-error', (queue, ids, err) => {
      failure = err;
      progress.stop();
    });
    worker.on('finish', (queue, ids) => progress.settled(ids.length));
    const listening = worker.listen();
    await progress.closed;
    worker.stop();
    await listening;
    worker.redis.disconnect();
    if (failure) throw failure;
  },
});
