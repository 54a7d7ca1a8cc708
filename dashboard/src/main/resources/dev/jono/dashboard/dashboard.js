// Keeps a page up to date and shows times in the zone of the viewer. Without it, pages show the numbers of the moment they were made.

const root = document.querySelector('link[rel=icon]').getAttribute('href').replace(/assets\/.*$/, '');
const storage = new URLSearchParams(location.search).get('storage');
const live = document.body.dataset.live || '';
const status = document.getElementById('live');
const FETCH_MILLIS = 5000;

function localTimes(within) {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  for (const time of within.querySelectorAll('time[datetime]')) time.textContent = format.format(new Date(time.dateTime));
}

function number(value) {
  const text = Number.isInteger(value) ? String(value) : value >= 100 ? String(Math.round(value)) : value.toFixed(1);
  return text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, '\u202f');
}

function duration(iso) {
  if (!iso) return '–';
  const [, h = 0, m = 0, s = 0] = iso.match(/^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/) || [];
  const seconds = h * 3600 + m * 60 + Number(s);
  if (seconds < 1) return Math.round(seconds * 1000) + ' ms';
  if (seconds < 60) return seconds.toFixed(1) + ' s';
  if (seconds < 3600) return Math.floor(seconds / 60) + ' min ' + Math.floor(seconds % 60) + ' s';
  if (seconds < 86400) return Math.floor(seconds / 3600) + ' h ' + Math.floor(seconds / 60 % 60) + ' min';
  return Math.floor(seconds / 86400) + ' d ' + Math.floor(seconds / 3600 % 24) + ' h';
}

// Fetches the page again and replaces its regions, but for one that the viewer is using.
let fetching = false;
async function refresh() {
  if (fetching || document.hidden) return;
  fetching = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
    if (!answer.ok) throw new Error(String(answer.status));
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const region of document.querySelectorAll('[data-region]')) {
      const next = fresh.getElementById(region.id);
      if (!next || region.contains(document.activeElement) || region.querySelector('input:checked')) continue;
      localTimes(next);
      if (next.innerHTML !== region.innerHTML) region.replaceWith(document.adoptNode(next));
    }
    for (const value of fresh.querySelectorAll('[data-value]')) show(value.dataset.value, value.textContent);
    status.textContent = '';
  } catch (e) {
    status.textContent = 'The storage or the dashboard does not answer; the numbers may be old.';
  } finally {
    fetching = false;
  }
}

function show(name, text) {
  const place = document.querySelector(`[data-value="${CSS.escape(name)}"]`);
  if (place && place.textContent !== text) place.textContent = text;
}

// ---- the chart of the overview ----
let chart;
async function draw(history) {
  const place = document.getElementById('chart');
  if (!place || history.length < 2) return;
  const data = [history.map(p => Date.parse(p.at) / 1000), history.map(p => p.in), history.map(p => p.out)];
  if (chart) {
    chart.setData(data);
    return;
  }
  const { default: UPlot } = await import(new URL(root + 'assets/uplot.js', location.href));
  const css = getComputedStyle(document.documentElement);
  const axis = { stroke: css.getPropertyValue('--muted'), grid: { stroke: css.getPropertyValue('--line') } };
  place.textContent = '';
  chart = new UPlot({
    width: place.clientWidth,
    height: 220,
    series: [{}, { label: 'in', stroke: css.getPropertyValue('--link'), width: 2 }, { label: 'out', stroke: css.getPropertyValue('--good'), width: 2 }],
    axes: [axis, axis],
    scales: { x: { range: (_, from, to) => [Math.min(from, to - 60), to] } },
  }, data, place);
  new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: 220 })).observe(place);
}

// ---- live ----
function stream() {
  const query = new URLSearchParams();
  if (live.includes('=')) query.set(live.slice(0, live.indexOf('=')), live.slice(live.indexOf('=') + 1));
  if (storage) query.set('storage', storage);
  const events = new EventSource(root + 'api/v1/events?' + query);
  let timer;
  const watch = () => {
    clearInterval(timer);
    timer = setInterval(refresh, FETCH_MILLIS);
  };
  events.onerror = watch; // the browser connects again by itself, or gives up
  events.onopen = () => clearInterval(timer);
  let first = true;
  const changed = (event, each) => {
    const data = JSON.parse(event.data);
    status.textContent = data.problem ? 'The storage does not answer, or this is gone: ' + data.problem : '';
    if (!data.problem) each(data);
    if (!first && event.type !== 'overview') refresh();
    first = false;
  };
  const numbers = data => {
    for (const [name, value] of Object.entries(data)) if (typeof value === 'number') show(name, number(value));
    show('oldestReadyAge', duration(data.oldestReadyAge));
  };
  events.addEventListener('overview', e => changed(e, data => { numbers(data); draw(data.history); }));
  events.addEventListener('queue', e => changed(e, numbers));
  events.addEventListener('type', e => changed(e, () => {}));
  events.addEventListener('job', e => changed(e, () => {}));
}

localTimes(document);
if (live === 'page') setInterval(refresh, FETCH_MILLIS);
else if (live) stream();
