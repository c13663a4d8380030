// The page as it is built for hosts, on a host of this machine, and the browser that the tests share.
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { text } from 'node:stream/consumers';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumArguments, chromiumPath } from '../lib/editor';
import { root } from '../lib/paths';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the page is. */
    page: string;
    /** Where to reach the browser of the page. */
    pageBrowser: string;
  }
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml', '.ttf': 'font/ttf', '.wasm': 'application/wasm' };

/** A server of the files of a folder, at its root, in `other` and in `renewed`, where a test may put others in their place. */
function serve(folder: string) {
  const renewed = new Map<string, string>();
  const server = createServer(async (request, answer) => {
    const { pathname } = new URL(request.url!, 'http://page');
    if (request.method === 'PUT') {
      renewed.set(pathname, await text(request));
      return answer.end();
    }
    const path = normalize(decodeURIComponent(pathname)).replace(/^\/(other|renewed)\//, '/');
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return answer.writeHead(404).end();
    const cached = /-[0-9A-Z]{8}\./.test(file) ? { 'cache-control': 'max-age=31536000, immutable' } : { 'cache-control': 'no-cache' };
    const policy = file.endsWith('service.js') ? { 'content-security-policy': "default-src 'none'; connect-src 'self'" } : {};
    answer.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain', ...cached, ...policy });
    const now = renewed.get(pathname);
    return now === undefined ? createReadStream(file).pipe(answer) : answer.end(now);
  });
  return new Promise<{ address: string; close(): void }>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }));
  });
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = execFileSync(join(root, 'scripts', 'web.sh'), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  const { address, close } = await serve(folder);
  const browser = await chromium.launchServer({ executablePath: chromiumPath(), args: chromiumArguments });
  project.provide('page', address);
  project.provide('pageBrowser', browser.wsEndpoint());
  return () => browser.close().finally(close);
}
