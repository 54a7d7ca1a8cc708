'use strict';
// Records what the real Kue answers on its JSON routes, for KueRecordingTest:
//
//   node record.js FOLDER REDIS_URL >../resources/kue/recording.json
//
// FOLDER is where "npm install --ignore-scripts kue@0.11.6 reds@0.2.5" was run. The Redis must be empty, and is not cleaned up.
// The recording is a list of steps. A step is a request with its answer, or what workers do in between.

const { createRequire } = require('module');
const http = require('http');

const [folder, url] = process.argv.slice(2);
const load = createRequire(folder + '/');
const kue = load('kue');
const redis = { host: new URL(url).hostname, port: Number(new URL(url).port) };
const queue = kue.createQueue({ redis, disableSearch: false });
const steps = [];
let server;
let release;

function send(method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const request = http.request({ port: server.address().port, method, path, headers }, response => {
      let text = '';
      response.on('data', chunk => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function record(method, path, body) {
  const { status, text } = await send(method, path, body);
  steps.push({ method, path, body, status, answer: text === '' ? undefined : JSON.parse(text, withoutPlaces) });
}

// Leaves out the files and the machine of the recording.
function withoutPlaces(key, value) {
  switch (key) {
    case 'error':
      return value.split('\n')[0];
    case 'workerId':
      return value.replace(/:[^:]*:\d+:/, ':host:1:');
    default:
      return value;
  }
}

async function until(path, holds) {
  for (;;) {
    const job = JSON.parse((await send('GET', path)).text);
    if (holds(job)) {
      return;
    }
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

const workers = {
  // Runs the job of type "work" up to its half.
  async begin() {
    queue.process('work', (job, done) => {
      job.log('page %d', 1);
      job.progress(1, 2, { page: 1 });
      release = () => done(null, { pages: 2 });
    });
    await until('/job/4', job => job.state === 'active' && job.progress === '50');
  },
  // Lets it succeed.
  async end() {
    release();
    await until('/job/4', job => job.state === 'complete');
  },
  // Runs the job of type "broken", which fails, and stops its worker.
  async fail() {
    queue.process('broken', (job, done) => done(new Error('no disk')));
    await until('/job/5', job => job.state === 'failed');
    await new Promise(resolve => queue.shutdown(1000, 'broken', resolve));
  },
};

async function work(name) {
  await workers[name]();
  steps.push({ workers: name });
}

async function empty() {
  for (const path of ['/stats', '/job/types', '/jobs/0..10', '/jobs/inactive/0..10/asc', '/jobs/mail/inactive/stats']) {
    await record('GET', path);
  }
}

async function create() {
  await record('POST', '/job');
  await record('POST', '/job', {});
  await record('POST', '/job', []);
  await record('POST', '/job', { data: { title: 'no type' } });
  await record('POST', '/job', { type: 'mail', data: { title: 'first' }, options: { priority: 'high', attempts: 3 } });
  await record('POST', '/job', [
    { type: 'mail', data: { title: 'second', to: 'ada' }, options: { searchKeys: ['to'] } },
    { data: { title: 'no type' } },
    { type: 'mail', data: { title: 'third' }, options: { delay: 3600000, priority: -5 } },
  ]);
  await record('POST', '/job', { type: 'work' });
  await record('POST', '/job', { type: 'broken', data: { list: [1, { a: null }], text: 'ä€' }, options: { priority: 'low' } });
}

async function look() {
  for (const id of [1, 2, 3, 5, 99]) {
    await record('GET', '/job/' + id);
  }
  for (const path of [
    '/stats', '/job/types', '/jobs/mail/inactive/stats', '/jobs/mail/delayed/stats', '/jobs/mail/odd/stats',
    '/jobs/none/inactive/stats', '/jobs/0..10', '/jobs/0..10/asc', '/jobs/0..10/desc', '/jobs/0..-1', '/jobs/0..0',
    '/jobs/5..1', '/jobs/50..60', '/jobs/inactive/0..10', '/jobs/inactive/0..10/desc', '/jobs/delayed/0..10/asc',
    '/jobs/active/0..10', '/jobs/odd/0..10', '/jobs/mail/inactive/0..10', '/jobs/mail/inactive/0..10/desc',
    '/jobs/mail/inactive/0..0', '/jobs/none/inactive/0..10/asc', '/jobs/x..y', '/job/1/log', '/job/99/log',
    '/job/search?q=ada', '/job/search?q=nobody',
  ]) {
    await record('GET', path);
  }
}

async function change() {
  await record('PUT', '/job/2/priority/-15');
  await record('GET', '/job/2');
  await record('PUT', '/job/2/priority/x');
  await record('PUT', '/job/99/priority/0');
  await record('PUT', '/job/3/state/inactive');
  await record('GET', '/job/3');
  await record('PUT', '/job/99/state/inactive');
}

async function run() {
  await work('begin');
  for (const path of ['/job/4', '/jobs/active/0..10/asc', '/jobs/work/active/0..10', '/job/4/log', '/stats']) {
    await record('GET', path);
  }
  await work('end');
  for (const path of ['/job/4', '/jobs/complete/0..10/asc', '/job/4/log']) {
    await record('GET', path);
  }
  await work('fail');
  for (const path of ['/job/5', '/jobs/failed/0..10', '/jobs/broken/failed/stats', '/stats']) {
    await record('GET', path);
  }
}

async function restartAndRemove() {
  await record('GET', '/inactive/5');
  await record('GET', '/job/5');
  await record('GET', '/inactive/99');
  await record('PUT', '/job/1/state/failed');
  await record('GET', '/job/1');
  await record('DELETE', '/job/4');
  await record('GET', '/job/4');
  await record('DELETE', '/job/4');
  await record('DELETE', '/job/2');
  await record('GET', '/jobs/0..10');
  await record('GET', '/stats');
}

server = kue.app.listen(0, '127.0.0.1', async () => {
  for (const part of [empty, create, look, change, run, restartAndRemove]) {
    await part();
  }
  const version = load('kue/package.json').version;
  const lines = steps.map(step => JSON.stringify(step)).join(',\n');
  process.stdout.write(`{"kue": "${version}", "steps": [\n${lines}\n]}\n`);
  process.exit(0);
});
