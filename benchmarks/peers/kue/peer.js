'use strict';
// Drives Kue, for jobs only. At its best, 64 calls of save are in flight; Kue has no call for several jobs. One process has as
// many workers as jobs that run at once. Kue keeps the records of finished jobs, and publishes events of jobs, by default.
//
// Usage: node peer.js FOLDER SETTINGS. Kue is installed in FOLDER; SETTINGS is JSON with url and queue.

const { createRequire } = require('module');
const { serve, inLanes } = require('../harness.js');

const kue = createRequire(process.argv[2] + '/')('kue');
const { url, queue: prefix } = JSON.parse(process.argv[3]);
const IN_FLIGHT = 64;
const STOP_MILLIS = 5000;
const TYPE = 'job';

let queue;

function open() {
  queue = kue.createQueue({ prefix, redis: { host: new URL(url).hostname, port: Number(new URL(url).port) } });
  queue.setMaxListeners(0); // each worker adds one
  queue.on('error', err => process.stderr.write('Kue: ' + err + '\n'));
}

const call = f => new Promise((resolve, reject) => f(err => err ? reject(err) : resolve()));

open();
serve({
  push: texts => inLanes(IN_FLIGHT, texts, text => call(done => queue.create(TYPE, { text }).save(done))),
  // A worker of Kue cannot be stopped alone: after each round, Kue is shut down and opened again.
  async take(step, progress, width) {
    queue.on('job complete', () => progress.settled(1));
    queue.process(TYPE, width, (job, done) => {
      progress.arrived(job.data.text);
      done();
    });
    await progress.closed;
    await call(done => queue.shutdown(STOP_MILLIS, done));
    open();
  },
});
