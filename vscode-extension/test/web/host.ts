// The programs on a static server, under a policy as strict as a page can have, and a browser that visits it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { chromiumArguments, chromiumPath } from '../lib/editor';
import { extension } from '../lib/paths';

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const types: Record<string, string> = { '.js': 'text/javascript', '.wasm': 'application/wasm', '': 'text/html' };

export interface Host {
  origin: string;
  context: BrowserContext;
  close(): Promise<void>;
}

export async function openHost(): Promise<Host> {
  const server = createServer(({ url = '' }, answer) => {
    answer.setHeader('Content-Type', types[extname(url)] ?? 'text/plain');
    answer.setHeader('Content-Security-Policy', policy);
    answer.end(extname(url) === '' ? '<!doctype html><title>test</title>' : readFileSync(join(extension, 'dist', 'web', url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    context: await browser.newContext(),
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}
