'use strict';
// keuss, as it is set up in production: signals and stats on the server of the queues. It takes and pushes one message a call;
// at its best, 64 calls are in flight (more make it no faster).
//
// Usage: node peer.js FOLDER SETTINGS: FOLDER is where keuss is installed; SETTINGS is JSON with backend, url, queue.

const { createRequire } = require('module');
const { serve, hands } = require('../harness.js');

const load = createRequire(process.argv[2] + '/');

// keuss's capped signaller expects the words in which MongoDB before 6.0 said that a channel is there already.
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
  await hands(Math.min(widthOf(width), texts.length), async () => {
    if (next >= texts.length) return false;
    const place = next++;
    await call(done => to(place).push(texts[place], {}, done));
    return true;
  });
}

// So many consumers at least, and one of each queue at least.
async function takeAll(queues, step, intake, width) {
  const reserve = step === 'RESERVE_ACK';
  // Not at once: a pop that is cancelled while it asks the storage goes on looking in keuss, takes a message later, and drops it.
  let timer;
  intake.closed.then(() => { timer = setTimeout(() => queues.forEach(queue => queue.cancel()), 300); });
  let consumers = 0;
  await Promise.all(Array.from({ length: Math.max(widthOf(width), queues.length) }, () => {
    const from = queues[consumers++ % queues.length];
    return hands(1, async () => {
      if (!intake.open) return false;
      let element;
      try {
        element = await call(done => from.pop('compare', { reserve }, done));
      } catch (err) {
        if (err === 'cancel') return false;
        throw err;
      }
      if (!element) return true;
      intake.arrived(element.payload);
      if (reserve) {
        const ok = await call(done => from.ok(element, done));
        if (!ok) throw new Error('ok was refused');
      }
      intake.settled(1);
      return true;
    });
  }));
  clearTimeout(timer); // or it would end the waiting of the next round
}

// make(name): a promise of a queue.
async function begin(make) {
  const queue = await make(name);
  let queues = [];
  serve({
    push: (texts, width) => pushAll(texts, width, () => queue),
    send: text => call(done => queue.push(text, {}, done)),
    take: (step, intake, width) => takeAll([queue], step, intake, width),
    over: {
      async queues(count) {
        if (queues.length !== count) {
          queues = await Promise.all(Array.from({ length: count }, (_, i) => make(name + '-' + i)));
        }
      },
      push: (texts, width) => pushAll(texts, width, place => queues[place % queues.length]),
      take: (step, intake, width) => takeAll(queues, step, intake, width),
    },
  });
}

load('keuss/backends/' + backend)(options, (err, factory) => {
  if (err) throw err;
  // The queues of pl-mongo exist within a pipeline only.
  begin(backend === 'pl-mongo'
    ? async of => (await call(done => factory.builder().pipeline('compare-' + of).queue(of, {}).done(done))).queues()[of]
    : of => call(done => factory.queue(of, {}, done)));
});
