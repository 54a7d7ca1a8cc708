'use strict';
// Drives keuss, with signals and stats on the server of the queues, as in production. keuss pushes and takes one message per
// call. At its best, 64 calls are in flight; more make it no faster.
//
// Usage: node peer.js FOLDER SETTINGS. keuss is installed in FOLDER; SETTINGS is JSON with backend, url and queue.

const { createRequire } = require('module');
const { serve, repeat } = require('../harness.js');

const load = createRequire(process.argv[2] + '/');

// keuss's capped signaller expects the message with which MongoDB before 6.0 reported an existing collection.
const { Db } = load('mongodb');
const createCollection = Db.prototype.createCollection;
Db.prototype.createCollection = function (name, options, callback) {
  return createCollection.call(this, name, options, (err, collection) => {
    if (err && err.code === 48) err.message = 'collection already exists';
    callback(err, collection);
  });
};

const { backend, url, queue: name } = JSON.parse(process.argv[3]);
const IN_FLIGHT = 64;

const redis = () => ({ Redis: { host: new URL(url).hostname, port: Number(new URL(url).port) } });
const options = url.startsWith('mongodb:') ? { name: 'N', url } : {
  name: 'N',
  redis: redis(),
  signaller: { provider: load('keuss/signal/redis-pubsub'), opts: redis() },
  stats: { provider: load('keuss/stats/redis'), opts: redis() },
};

const call = f => new Promise((resolve, reject) => f((err, result) => err ? reject(err) : resolve(result)));
const widthOf = width => width === 0 ? IN_FLIGHT : width;

async function pushAll(texts, width, to) {
  let next = 0;
  await repeat(Math.min(widthOf(width), texts.length), async () => {
    if (next >= texts.length) return false;
    const place = next++;
    await call(done => to(place).push(texts[place], {}, done));
    return true;
  });
}

// Takes with at least this many consumers (width), and at least one per queue.
async function takeAll(queues, step, progress, width) {
  const reserve = step === 'RESERVE_ACK';
  // Not at once: in keuss, a pop that is cancelled during its storage call continues, takes a message later, and drops it.
  let timer;
  progress.closed.then(() => { timer = setTimeout(() => queues.forEach(queue => queue.cancel()), 300); });
  let consumers = 0;
  await Promise.all(Array.from({ length: Math.max(widthOf(width), queues.length) }, () => {
    const from = queues[consumers++ % queues.length];
    return repeat(1, async () => {
      if (!progress.open) return false;
      let element;
      try {
        element = await call(done => from.pop('compare', { reserve }, done));
      } catch (err) {
        if (err === 'cancel') return false;
        throw err;
      }
      if (!element) return true;
      progress.arrived(element.payload);
      if (reserve) {
        const ok = await call(done => from.ok(element, done));
        if (!ok) throw new Error('ok was refused');
      }
      progress.settled(1);
      return true;
    });
  }));
  clearTimeout(timer); // otherwise it would cancel the waits of the next round
}

// Serves with queues that make(name) opens; it returns a promise.
async function begin(make) {
  const queue = await make(name);
  let queues = [];
  serve({
    push: (texts, width) => pushAll(texts, width, () => queue),
    send: text => call(done => queue.push(text, {}, done)),
    take: (step, progress, width) => takeAll([queue], step, progress, width),
    over: {
      async queues(count) {
        if (queues.length !== count) {
          queues = await Promise.all(Array.from({ length: count }, (_, i) => make(name + '-' + i)));
        }
      },
      push: (texts, width) => pushAll(texts, width, place => queues[place % queues.length]),
      take: (step, progress, width) => takeAll(queues, step, progress, width),
    },
  });
}

load('keuss/backends/' + backend)(options, (err, factory) => {
  if (err) throw err;
  // Queues of pl-mongo exist only within a pipeline.
  begin(backend === 'pl-mongo'
    ? async of => (await call(done => factory.builder().pipeline('compare-' + of).queue(of, {}).done(done))).queues()[of]
    : of => call(done => factory.queue(of, {}, done)));
});
