// Opens a store as told by lines: `go` opens and saves one listing, `hold` takes the write lock, `drop` gives root up.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { loadDriver } from '../../../../daemon/sqlite.ts';
import { openStore } from '../../../../daemon/store/open.ts';
import type { Store } from '../../../../daemon/store/store.ts';

const [path = ''] = process.argv.slice(2);
const driver = loadDriver();
const delay = monitorEventLoopDelay({ resolution: 5 });
const say = (text: string) => process.stdout.write(`${text}\n`);
let store: Store | undefined;

const open = () => {
  delay.enable();
  const started = performance.now();
  store = openStore({ path, driver, log: (event, fields) => say(`log ${event} ${JSON.stringify(fields ?? {})}`) });
  say(`opened ${Math.round(performance.now() - started)} ${store.health}`);
  save(String(process.pid));
  const timer = setInterval(() => {
    if (store?.health !== 'disk') return;
    clearInterval(timer);
    say('on');
  }, 5);
};

const save = (key: string) =>
  store?.saveListing({ key, server: 's', tools: [], freshness: 'confirmed', listedAt: Date.now(), warnings: [] });

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'go') open();
  if (line === 'save') save('another');
  if (line === 'blocked') say(`blocked ${Math.round(delay.max / 1e6)}`);
  if (line === 'hold') {
    const db = driver.open(path, 0);
    db.exec('BEGIN EXCLUSIVE');
    say('holding');
    process.stdin.once('data', () => db.close());
  }
  if (line === 'drop') {
    // Rights mean nothing to root, so a test that runs as root becomes nobody here, after all is loaded.
    if (process.geteuid?.() === 0) process.seteuid?.(65_534);
    say('dropped');
  }
  if (line === 'close') {
    store?.[Symbol.dispose]();
    process.exit(0);
  }
});
say('prepared');
