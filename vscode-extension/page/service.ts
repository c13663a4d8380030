/// <reference lib="dom" />
// Serves the page offline after the first visit. All of its files are kept, each version for itself, and the next version
// takes over once no page of the one before is open.
interface Phase extends Event {
  waitUntil(end: Promise<unknown>): void;
}
interface Fetch extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
declare function addEventListener(name: 'install' | 'activate', run: (event: Phase) => void): void;
declare function addEventListener(name: 'fetch', run: (event: Fetch) => void): void;
declare const registration: { readonly scope: string };
declare const clients: { claim(): Promise<void> };

/** What belongs to this version; the build says it. */
declare const files: { version: string; names: string[]; page: string };

/** Pages in other folders of the host have caches of their own. */
const prefix = `aiglens ${registration.scope} `;
const cache = `${prefix}${files.version}`;

addEventListener('install', (event) => {
  // A name without a hash may stand for another file than before.
  const request = (name: string) => new Request(name, { cache: /-[0-9A-Z]{8}\./.test(name) ? 'default' : 'no-cache' });
  const keep = async () => {
    const all = await caches.open(cache);
    await all.addAll(files.names.map(request));
    // A host may give the page of another version for a while: then the browser installs this one later.
    const page = await (await all.match('./'))!.arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', page)).reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '');
    if (digest === files.page) return;
    await caches.delete(cache);
    throw new Error('index.html is of another version');
  };
  event.waitUntil(keep());
});

addEventListener('activate', (event) => {
  const old = async () => Promise.all((await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cache).map((name) => caches.delete(name)));
  event.waitUntil(old().then(() => clients.claim()));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  const wanted = request.url.replace(/[?#].*/, '') === `${registration.scope}index.html` ? './' : request;
  const kept = async () => (await (await caches.open(cache)).match(wanted, { ignoreSearch: true })) ?? fetch(request);
  event.respondWith(kept());
});

export {};
